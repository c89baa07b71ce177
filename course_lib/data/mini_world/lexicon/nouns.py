"""The nouns of the mini-world, as a table.

A line in square brackets opens a group and names its classes; each line under it is one noun:

    [*]singular plural German-singular gender German-plural [mark ...]

`*` puts the noun into the small vocabulary too, `**` into the tiny one as well. `-` as plural: a
mass noun, singular only. Marks:

    weak          a masculine of the n-declension (den Jungen)
    mine          goes well with my and our
    no:x,y        the adjectives, or groups of adjectives, x and y do not suit it
    in:scene      with this preposition it is a place of this kind
    at:room       as a place, it may stand in, by or near a place of this kind
    +x            belongs to class x too
"""

NOUNS = """
[person]
**man men Mann m Männer
**woman women Frau f Frauen
**child children Kind n Kinder +youngster mine no:old,tall
**boy boys Junge m Jungen weak +youngster no:old,young
**girl girls Mädchen n Mädchen +youngster no:old
**teacher teachers Lehrer m Lehrer mine
friend friends Freund m Freunde mine
**king kings König m Könige
*grandmother grandmothers Großmutter f Großmütter mine no:young
student students Student m Studenten weak no:old
aunt aunts Tante f Tanten mine
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
painter painters Maler m Maler
singer singers Sängerin f Sängerinnen
dancer dancers Tänzerin f Tänzerinnen
pirate pirates Pirat m Piraten weak
knight knights Ritter m Ritter
witch witches Hexe f Hexen
wizard wizards Zauberer m Zauberer
dwarf dwarfs Zwerg m Zwerge no:tall
giant giants Riese m Riesen weak no:tall,shy
clown clowns Clown m Clowns

[infant]
baby babies Baby n Babys mine

[animal]
**dog dogs Hund m Hunde mine +pet
**cat cats Katze f Katzen mine +pet
**horse horses Pferd n Pferde mine +farm
*bird birds Vogel m Vögel +flyer
*bear bears Bär m Bären weak
duck ducks Ente f Enten +flyer +farm +swimmer
mouse mice Maus f Mäuse no:big
cow cows Kuh f Kühe mine +farm
pig pigs Schwein n Schweine mine +farm
goat goats Ziege f Ziegen mine +farm
donkey donkeys Esel m Esel mine +farm
hen hens Huhn n Hühner mine +farm
goose geese Gans f Gänse mine +flyer +farm +swimmer
lamb lambs Lamm n Lämmer mine +farm no:old,big,wild
rabbit rabbits Kaninchen n Kaninchen mine +pet
wolf wolves Wolf m Wölfe
fox foxes Fuchs m Füchse
lion lions Löwe m Löwen weak
tiger tigers Tiger m Tiger
monkey monkeys Affe m Affen weak
elephant elephants Elefant m Elefanten weak
squirrel squirrels Eichhörnchen n Eichhörnchen no:big
frog frogs Frosch m Frösche +swimmer
owl owls Eule f Eulen +flyer
penguin penguins Pinguin m Pinguine +swimmer
dragon dragons Drache m Drachen weak +flyer

[food]
*apple apples Apfel m Äpfel +fruit
*cake cakes Kuchen m Kuchen +baked
egg eggs Ei n Eier no:sweet
soup - Suppe f -
bread - Brot n - +baked no:sweet
pear pears Birne f Birnen +fruit
cherry cherries Kirsche f Kirschen +fruit
tomato tomatoes Tomate f Tomaten
carrot carrots Karotte f Karotten
potato potatoes Kartoffel f Kartoffeln
nut nuts Nuss f Nüsse
pancake pancakes Pfannkuchen m Pfannkuchen +baked
cheese - Käse m -
salad - Salat m -

[drink]
*milk - Milch f -
*water - Wasser n - no:sweet,delicious
tea - Tee m -
juice - Saft m -
coffee - Kaffee m -

[readable thing]
**book books Buch n Bücher mine
**letter letters Brief m Briefe mine +written no:heavy,expensive,colour
newspaper newspapers Zeitung f Zeitungen mine no:heavy,expensive,colour

[readable text]
story stories Geschichte f Geschichten +written
poem poems Gedicht n Gedichte +written
joke jokes Witz m Witze no:sad,famous

[toy thing]
**ball balls Ball m Bälle mine
doll dolls Puppe f Puppen mine
robot robots Roboter m Roboter mine

[thing]
*key keys Schlüssel m Schlüssel mine no:colour
*flower flowers Blume f Blumen +plant no:old,new,expensive,heavy
*hat hats Hut m Hüte mine +worn no:heavy
*bag bags Tasche f Taschen mine +worn
umbrella umbrellas Regenschirm m Regenschirme mine +worn no:heavy
coat coats Mantel m Mäntel mine +worn
scarf scarves Schal m Schals mine +worn no:heavy
dress dresses Kleid n Kleider mine no:heavy
shirt shirts Hemd n Hemden mine no:heavy
shoe shoes Schuh m Schuhe mine
box boxes Kiste f Kisten mine
lamp lamps Lampe f Lampen mine
clock clocks Uhr f Uhren mine
cup cups Tasse f Tassen mine no:heavy
picture pictures Bild n Bilder mine no:colour
gift gifts Geschenk n Geschenke mine no:old,new
rose roses Rose f Rosen mine +plant no:old,new,expensive,heavy,blue,green
ring rings Ring m Ringe mine no:heavy,colour,big
crown crowns Krone f Kronen no:colour
spoon spoons Löffel m Löffel mine no:heavy,expensive
brush brushes Pinsel m Pinsel mine no:heavy,expensive
pencil pencils Bleistift m Bleistifte mine no:heavy,expensive,old
fork forks Gabel f Gabeln mine no:heavy,expensive
knife knives Messer n Messer mine no:heavy,colour
hammer hammers Hammer m Hämmer mine

[vehicle]
*car cars Auto n Autos mine
bicycle bicycles Fahrrad n Fahrräder mine
boat boats Boot n Boote mine

[furniture]
*table tables Tisch m Tische mine under:nook beside:scene at:room
chair chairs Stuhl m Stühle mine on:seat at:room
bed beds Bett n Betten mine under:nook at:room
sofa sofas Sofa n Sofas mine on:seat behind:nook at:room
cupboard cupboards Schrank m Schränke mine beside:nook at:room
bench benches Bank f Bänke on:seat behind:scene under:nook at:ground

[opening]
door doors Tür f Türen mine behind:nook beside:nook
window windows Fenster n Fenster by:scene by:seat

[place]
**garden gardens Garten m Gärten mine in:scene in:ground
**house houses Haus n Häuser mine +building in:scene behind:scene near:scene in:home at:land
**kitchen kitchens Küche f Küchen mine in:scene in:room
*tree trees Baum m Bäume under:scene under:seat behind:nook +plant at:ground
*river rivers Fluss m Flüsse by:scene by:seat by:land by:home in:water no:old
school schools Schule f Schulen mine +building in:scene behind:scene near:home at:land
park parks Park m Parks in:scene in:ground no:old near:home
forest forests Wald m Wälder in:scene in:ground in:home near:land no:small
church churches Kirche f Kirchen +building behind:scene near:scene beside:home at:land
castle castles Schloss n Schlösser +building in:scene near:scene behind:scene in:home at:land
tower towers Turm m Türme +building in:scene beside:scene in:home at:land no:big,small
bridge bridges Brücke f Brücken on:scene under:scene near:scene no:big
lake lakes See m Seen by:scene by:seat by:land by:home in:water no:old
sea seas Meer n Meere by:scene by:land by:home in:water no:old,small,big
mountain mountains Berg m Berge on:scene near:land no:old,small
hill hills Hügel m Hügel on:scene behind:scene on:seat on:land on:home no:old
village villages Dorf n Dörfer mine in:scene near:scene in:ground in:home at:land
city cities Stadt f Städte mine in:ground in:home
street streets Straße f Straßen mine on:scene
station stations Bahnhof m Bahnhöfe +building near:scene behind:scene in:scene near:home at:land
museum museums Museum n Museen +building in:scene beside:scene near:scene at:land
shop shops Laden m Läden +building in:scene beside:scene at:land
tent tents Zelt n Zelte mine in:scene beside:scene in:home at:ground
room rooms Zimmer n Zimmer mine in:scene in:room
"""

NAMES = """
**Anna f
**Paul m
Emma f
Max m
Lena f
Tim m
Clara f
Jonas m
"""
