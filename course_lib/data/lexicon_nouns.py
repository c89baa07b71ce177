"""The nouns of the mini-world, as a table.

A line in square brackets opens a group and gives its classes; each line under it is one noun:

    [*]singular plural German-singular gender German-plural [mark ...]

`*` puts the noun into the small vocabulary too. `-` as plural: a mass noun, singular only.
Marks: `weak` (n-declension: den Jungen), `mine` (goes well with my and our), `no:x` (the adjective
x does not suit it), `in:scene` (with this preposition it is a place of that kind), `at:room` (as a
place, it may be located further by a place of that kind), `+x` (belongs to class x too).
"""

NOUNS = """
[person]
*man men Mann m Männer
*woman women Frau f Frauen
*child children Kind n Kinder +youngster mine no:old no:tall
*boy boys Junge m Jungen weak +youngster no:old
*girl girls Mädchen n Mädchen +youngster no:old
*teacher teachers Lehrer m Lehrer mine
*friend friends Freund m Freunde mine
*king kings König m Könige
*grandmother grandmothers Großmutter f Großmütter mine no:young
*student students Student m Studenten weak no:old
*aunt aunts Tante f Tanten mine
doctor doctors Arzt m Ärzte mine
baker bakers Bäcker m Bäcker mine
farmer farmers Bauer m Bauern weak
queen queens Königin f Königinnen
prince princes Prinz m Prinzen weak no:old
princess princesses Prinzessin f Prinzessinnen no:old
mother mothers Mutter f Mütter mine
father fathers Vater m Väter mine
brother brothers Bruder m Brüder mine no:old
sister sisters Schwester f Schwestern mine no:old
grandfather grandfathers Großvater m Großväter mine no:young
uncle uncles Onkel m Onkel mine
neighbour neighbours Nachbar m Nachbarn weak mine
guest guests Gast m Gäste mine
baby babies Baby n Babys +infant mine no:old no:young no:brave no:strong no:clever
painter painters Maler m Maler
gardener gardeners Gärtner m Gärtner mine
nurse nurses Krankenschwester f Krankenschwestern
singer singers Sängerin f Sängerinnen
dancer dancers Tänzerin f Tänzerinnen
pirate pirates Pirat m Piraten weak
knight knights Ritter m Ritter
witch witches Hexe f Hexen
wizard wizards Zauberer m Zauberer
dwarf dwarfs Zwerg m Zwerge no:tall
giant giants Riese m Riesen weak no:small no:tall no:shy
fisherman fishermen Fischer m Fischer
captain captains Kapitän m Kapitäne
clown clowns Clown m Clowns

[animal]
*dog dogs Hund m Hunde mine +pet
*cat cats Katze f Katzen mine +pet +hunter
*horse horses Pferd n Pferde mine +farm
*bird birds Vogel m Vögel +flyer
*bear bears Bär m Bären weak
*mouse mice Maus f Mäuse no:big
*duck ducks Ente f Enten +flyer +farm +swimmer
cow cows Kuh f Kühe mine +farm
pig pigs Schwein n Schweine mine +farm no:grey
goat goats Ziege f Ziegen mine +farm
donkey donkeys Esel m Esel mine +farm
hen hens Huhn n Hühner mine +farm
goose geese Gans f Gänse mine +flyer +farm +swimmer
lamb lambs Lamm n Lämmer mine +farm no:old no:big no:wild
calf calves Kalb n Kälber mine +farm no:old no:wild
rabbit rabbits Kaninchen n Kaninchen mine +pet
wolf wolves Wolf m Wölfe
fox foxes Fuchs m Füchse
lion lions Löwe m Löwen weak
tiger tigers Tiger m Tiger
monkey monkeys Affe m Affen weak
elephant elephants Elefant m Elefanten weak no:small
squirrel squirrels Eichhörnchen n Eichhörnchen no:big
hedgehog hedgehogs Igel m Igel no:big
frog frogs Frosch m Frösche +swimmer
turtle turtles Schildkröte f Schildkröten mine +swimmer
owl owls Eule f Eulen +flyer
penguin penguins Pinguin m Pinguine +swimmer
dragon dragons Drache m Drachen weak +flyer

[food]
*apple apples Apfel m Äpfel +fruit
*cake cakes Kuchen m Kuchen +baked
*egg eggs Ei n Eier
*bread - Brot n - +baked
*soup - Suppe f - +cooked
pear pears Birne f Birnen +fruit
cherry cherries Kirsche f Kirschen +fruit
strawberry strawberries Erdbeere f Erdbeeren +fruit
banana bananas Banane f Bananen +fruit
tomato tomatoes Tomate f Tomaten +fruit
carrot carrots Karotte f Karotten
potato potatoes Kartoffel f Kartoffeln no:sweet
nut nuts Nuss f Nüsse
biscuit biscuits Keks m Kekse +baked
pancake pancakes Pfannkuchen m Pfannkuchen +baked
cheese - Käse m -
honey - Honig m - no:sweet
rice - Reis m - +cooked no:sweet
salad - Salat m - no:sweet

[drink]
*milk - Milch f -
*water - Wasser n - no:sweet no:delicious
*tea - Tee m -
juice - Saft m - no:hot
coffee - Kaffee m -
lemonade - Limonade f - no:hot no:warm

[readable thing]
*book books Buch n Bücher mine
*letter letters Brief m Briefe mine +written no:heavy
newspaper newspapers Zeitung f Zeitungen mine no:heavy
story stories Geschichte f Geschichten +written +told no:heavy no:red no:blue no:green no:yellow no:big no:small no:expensive
poem poems Gedicht n Gedichte +written no:heavy no:red no:blue no:green no:yellow no:big no:small no:expensive
postcard postcards Postkarte f Postkarten mine +written no:heavy

[toy thing]
*ball balls Ball m Bälle mine
doll dolls Puppe f Puppen mine
drum drums Trommel f Trommeln mine
balloon balloons Ballon m Ballons mine no:heavy no:old
robot robots Roboter m Roboter mine

[thing]
*key keys Schlüssel m Schlüssel mine
*flower flowers Blume f Blumen mine +plant no:old no:new no:expensive no:heavy
*hat hats Hut m Hüte mine +worn no:heavy
*bag bags Tasche f Taschen mine +worn
umbrella umbrellas Regenschirm m Regenschirme mine +worn no:heavy
coat coats Mantel m Mäntel mine +worn
scarf scarves Schal m Schals mine +worn no:heavy
jacket jackets Jacke f Jacken mine +worn no:heavy
dress dresses Kleid n Kleider mine +sewn no:heavy
shirt shirts Hemd n Hemden mine +sewn no:heavy
shoe shoes Schuh m Schuhe mine
basket baskets Korb m Körbe mine +worn
box boxes Kiste f Kisten mine
suitcase suitcases Koffer m Koffer mine +worn
lamp lamps Lampe f Lampen mine
clock clocks Uhr f Uhren mine
cup cups Tasse f Tassen mine no:heavy
plate plates Teller m Teller mine
candle candles Kerze f Kerzen no:heavy
picture pictures Bild n Bilder mine +image no:red no:blue no:green no:yellow
gift gifts Geschenk n Geschenke mine no:old
rose roses Rose f Rosen mine +plant no:old no:new no:expensive no:heavy no:blue no:green
stone stones Stein m Steine no:new no:expensive no:yellow no:blue no:red
ring rings Ring m Ringe mine no:heavy no:red no:blue no:green no:yellow
crown crowns Krone f Kronen +worn no:red no:blue no:green no:yellow

[thing vehicle]
*car cars Auto n Autos mine
bicycle bicycles Fahrrad n Fahrräder mine
boat boats Boot n Boote mine

[thing furniture]
*table tables Tisch m Tische mine under:scene at:room
*door doors Tür f Türen mine +opened
chair chairs Stuhl m Stühle mine on:seat at:room
bed beds Bett n Betten mine in:seat under:scene at:room
sofa sofas Sofa n Sofas mine on:seat behind:scene at:room
cupboard cupboards Schrank m Schränke mine +opened beside:scene at:room
bench benches Bank f Bänke on:seat behind:scene at:ground
window windows Fenster n Fenster +opened by:scene by:seat at:room

[tool thing]
*spoon spoons Löffel m Löffel mine no:heavy
brush brushes Pinsel m Pinsel mine no:heavy
pencil pencils Bleistift m Bleistifte mine no:heavy
fork forks Gabel f Gabeln mine no:heavy
knife knives Messer n Messer mine no:heavy
hammer hammers Hammer m Hämmer mine
shovel shovels Schaufel f Schaufeln mine
broom brooms Besen m Besen mine no:heavy

[place]
*garden gardens Garten m Gärten mine in:scene in:ground
*house houses Haus n Häuser mine +building in:scene behind:scene near:scene at:land
*kitchen kitchens Küche f Küchen mine in:scene in:room
*tree trees Baum m Bäume under:scene under:seat behind:scene +plant at:ground
*river rivers Fluss m Flüsse by:scene by:seat by:land in:water
school schools Schule f Schulen mine +building in:scene behind:scene near:scene at:land
park parks Park m Parks in:scene in:ground
forest forests Wald m Wälder in:scene in:ground near:land
church churches Kirche f Kirchen +building behind:scene near:scene beside:scene at:land
castle castles Schloss n Schlösser +building in:scene near:scene behind:scene at:land
tower towers Turm m Türme +building in:scene beside:scene near:scene at:land
bridge bridges Brücke f Brücken on:scene under:scene near:scene
lake lakes See m Seen by:scene by:seat by:land in:water
sea seas Meer n Meere by:scene by:land in:water
mountain mountains Berg m Berge on:scene near:land
hill hills Hügel m Hügel on:scene behind:scene on:seat on:land
village villages Dorf n Dörfer mine in:scene near:scene in:ground at:land
city cities Stadt f Städte mine in:scene in:ground
street streets Straße f Straßen mine on:scene
station stations Bahnhof m Bahnhöfe +building near:scene behind:scene in:scene at:land
hotel hotels Hotel n Hotels +building in:scene near:scene behind:scene at:land
library libraries Bibliothek f Bibliotheken +building in:scene beside:scene at:land
museum museums Museum n Museen +building in:scene beside:scene near:scene at:land
shop shops Laden m Läden +building in:scene beside:scene at:land
barn barns Scheune f Scheunen mine +building in:scene behind:scene beside:scene at:land
cave caves Höhle f Höhlen in:scene near:scene at:land
island islands Insel f Inseln on:scene
roof roofs Dach n Dächer on:scene on:seat
balcony balconies Balkon m Balkone mine on:scene on:seat
cellar cellars Keller m Keller mine in:scene in:room
tent tents Zelt n Zelte mine in:scene beside:scene at:ground
room rooms Zimmer n Zimmer mine in:scene in:room
"""

NAMES = """
*Anna f
*Paul m
Emma f
Max m
Lena f
Tim m
Clara f
Jonas m
"""
