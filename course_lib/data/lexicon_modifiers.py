"""Adjectives, adverbs and function words of the mini-world, as tables.

Adjectives: [*]English German-stem | noun classes (or single nouns). The groups are in the order in
which adjectives of several groups stand before the noun, in both languages.
Adverbs: [*]English | German | links between their words | tenses and places in the clause.
"""

ADJECTIVES = """
[quality]
*friendly freundlich | person pet farm dragon
*clever klug | person animal
*beautiful schön | flyer horse plant place readable toy worn vehicle ring lamp clock picture dress
*delicious lecker | food drink
hungry hungrig | person animal
tired müd | person animal
happy fröhlich | person pet
sad traurig | person story
brave mutig | person animal
strong stark | person horse bear lion elephant tiger
shy schüchtern | person animal
funny lustig | person monkey penguin dog story toy picture
lazy faul | animal
poor arm | person
rich reich | king queen prince princess pirate man woman uncle neighbour
famous berühmt | painter singer dancer wizard captain pirate museum story picture castle poem tower
wild wild | animal
interesting interessant | readable museum city
quiet ruhig | room village street park lake library hotel

[size]
*small klein | youngster dwarf animal thing place food
*big groß | animal thing place food
*long lang | readable river street bridge coat dress scarf
tall groß | person
short kurz | letter story poem street bridge dress
high hoh | tower tree mountain roof bridge
heavy schwer | thing

[state]
*old alt | person animal thing place
*young jung | person animal
*new neu | thing
*fresh frisch | food milk water juice
*cold kalt | drink soup lake river sea cave cellar
warm warm | drink bread soup room kitchen cake
hot heiß | tea coffee milk soup
sweet süß | fruit baked drink
dark dunkl | forest cellar cave room street
empty leer | box bag basket suitcase cup plate house room castle
dirty schmutzig | shoe shirt plate cup car street coat boat
clean sauber | shirt plate cup kitchen room dress window table
expensive teur | thing
wooden hölzern | box table chair bench spoon door

[colour]
*red rot | thing
*blue blau | thing
*white weiß | horse cat goose rabbit cow goat dress shirt rose house tent
*black schwarz | dog cat horse bird hat coat umbrella car bag shoe bear
brown braun | horse dog cow bear bag hen shoe
green grün | thing
yellow gelb | thing
grey grau | cat wolf donkey mouse elephant stone coat
"""

MANNER = """
[speed]
*quickly schnell
*slowly langsam
[voice]
*loudly laut
*quietly leise
[joy]
happily fröhlich
gladly gern
[care]
*carefully vorsichtig
patiently geduldig
[calm]
peacefully friedlich
[polite]
politely höflich
[secret]
secretly heimlich
"""

TIME = """
*today | heute | 0-0 | present perfect negative front end
*now | jetzt | 0-0 | present negative front end
*often | oft | 0-0 | present perfect front middle
*always | immer | 0-0 | present middle
*sometimes | manchmal | 0-0 | present front middle
*never | nie | 0-0 | present perfect middle
*already | schon | 0-0 | perfect middle
recently | neulich | 0-0 | perfect front middle
tonight | heute Abend | 0-0 0-1 | present negative front end
at night | nachts | 1-0 | present end front
*every day | jeden Tag | 0-0 1-1 | present front end
every morning | jeden Morgen | 0-0 1-1 | present front end
every evening | jeden Abend | 0-0 1-1 | present front end
on Monday | am Montag | 0-0 1-1 | present negative front end
on Friday | am Freitag | 0-0 1-1 | present negative front end
on Sunday | am Sonntag | 0-0 1-1 | present negative front end
"""

PLACE_ADVERBS = """
*here hier
*outside draußen
there dort
upstairs oben
"""
