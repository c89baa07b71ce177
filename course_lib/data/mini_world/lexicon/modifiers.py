"""Adjectives and adverbs of the mini-world, as tables.

`*`: in the small vocabulary too, `**`: in the tiny one as well.

Adjectives: English German-stem | noun classes or single nouns that it suits. The groups are in the
order in which adjectives of different groups stand before a noun, in both languages.

Manner adverbs: English German. Place adverbs: English German.

Times: English | German | links between their words, counted from 0 | the tenses they suit,
`negative` if they may meet a negation, and the places that English gives them in the clause.
"""

ADJECTIVES = """
[quality]
*friendly freundlich | person pet farm dragon
*clever klug | person animal
*beautiful schön | flyer horse plant place text toy worn vehicle ring lamp clock picture dress
delicious lecker | food drink
brave mutig | person animal
strong stark | person horse bear lion elephant tiger donkey
shy schüchtern | person animal
lazy faul | animal
poor arm | person
rich reich | king queen prince princess pirate man woman uncle neighbour
famous berühmt | painter singer dancer wizard pirate museum text picture castle tower
wild wild | animal
interesting interessant | book letter newspaper story poem museum city
quiet ruhig | room village street park lake

[size]
**small klein | infant youngster animal thing place furniture vehicle opening
**big groß | animal thing place furniture vehicle opening
*long lang | book letter text river street bridge coat scarf bench table
tall groß | person
short kurz | letter text street bridge dress
high hoh | tower tree mountain bridge
heavy schwer | thing furniture

[state]
funny lustig | person monkey penguin dog text toy picture
sad traurig | person text
happy fröhlich | person infant pet
tired müd | person infant animal
hungry hungrig | person infant animal
fresh frisch | fruit baked egg milk water juice salad tomato carrot cheese
*cold kalt | drink soup lake river sea
warm warm | bread soup room kitchen cake milk water
hot heiß | tea coffee milk soup
sweet süß | fruit baked tea juice
dark dunkl | forest room street
empty leer | box bag cup house room castle
dirty schmutzig | shoe shirt cup car street coat boat window
expensive teur | thing vehicle furniture

[age]
**old alt | person animal thing place furniture vehicle opening
**young jung | person animal
*new neu | thing furniture vehicle opening
[colour]
*red rot | thing furniture vehicle door
*blue blau | thing furniture vehicle door
white weiß | horse cat goose rabbit cow goat dress shirt rose house tent door
black schwarz | dog cat horse bird hat coat umbrella car bag shoe bear
brown braun | horse dog cow bear bag hen shoe
green grün | thing furniture vehicle door
yellow gelb | thing furniture vehicle door
grey grau | cat wolf donkey mouse elephant coat
[material]
wooden hölzern | box table chair bench spoon door
"""

MANNER = """
[speed]
*quickly schnell
slowly langsam
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

TIMES = """
**today | heute | 0-0 | present perfect negative front end
now | jetzt | 0-0 | present negative front end
**often | oft | 0-0 | present perfect front middle
sometimes | manchmal | 0-0 | present front middle
rarely | selten | 0-0 | present middle
*never | nie | 0-0 | present perfect middle
*already | schon | 0-0 | perfect middle
recently | neulich | 0-0 | perfect middle
tonight | heute Abend | 0-0 0-1 | present negative front end
at night | nachts | 1-0 | present front end
every day | jeden Tag | 0-0 1-1 | present front end
every morning | jeden Morgen | 0-0 1-1 | present front end
every evening | jeden Abend | 0-0 1-1 | present front end
on Monday | am Montag | 0-0 1-1 | present negative front end
on Friday | am Freitag | 0-0 1-1 | present negative front end
on Sunday | am Sonntag | 0-0 1-1 | present negative front end
"""

PLACE_ADVERBS = """
*here hier
outside draußen
"""
