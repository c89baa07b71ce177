"""The verbs of the mini-world, as a table.

    [*]base participle | infinitive third-person participle auxiliary | subject > object > recipient | marks

`*` puts the verb into the small vocabulary too. Subject, object and recipient are lists of noun
classes (or single English nouns); a missing object makes the verb intransitive. English
participles and the third persons of German are given, regular forms are computed. Marks:

    dative        the German object stands in the dative (helfen)
    stative       no perfect, no manner, no place (to know)
    needs-place   incomplete without a place (to sit)
    particle:for  English adds this word (to look for)
    place:scene   a place of this kind may follow
    manner:a,b    manner adverbs of these groups may follow
    with:x,y      a phrase with "with" may follow, its noun from these classes; for:, from: likewise
"""

VERBS = """
*sleep slept | schlafen schläft geschlafen haben | person animal | place:scene manner:calm
*run run | laufen läuft gelaufen sein | youngster man woman student animal | place:scene manner:speed
*play played | spielen spielt gespielt haben | youngster infant pet monkey bear | place:scene manner:joy with:toy,pet
*laugh laughed | lachen lacht gelacht haben | person | place:scene manner:voice
*dance danced | tanzen tanzt getanzt haben | person bear | place:scene manner:joy with:person
*swim swum | schwimmen schwimmt geschwommen sein | person swimmer dog bear | place:water manner:speed
*wait waited | warten wartet gewartet haben | person pet horse | place:scene manner:calm
*sit sat | sitzen sitzt gesessen haben | person pet bird owl monkey | place:seat needs-place manner:calm
work worked | arbeiten arbeitet gearbeitet haben | person | place:scene manner:care
sing sung | singen singt gesungen haben | person bird | place:scene manner:voice,joy for:person
jump jumped | springen springt gesprungen sein | youngster clown frog cat squirrel goat rabbit | place:scene manner:joy
cry cried | weinen weint geweint haben | youngster infant giant princess clown | place:scene manner:voice
smile smiled | lächeln lächelt gelächelt haben | person | place:scene manner:joy
fly flown | fliegen fliegt geflogen sein | flyer witch | manner:speed
sneeze sneezed | niesen niest geniest haben | person elephant cat dragon pig | place:scene manner:voice
dream dreamt | träumen träumt geträumt haben | person pet | place:scene
stand stood | stehen steht gestanden haben | person farm elephant penguin | place:scene needs-place manner:calm
travel travelled | reisen reist gereist sein | person | manner:joy with:person
hike hiked | wandern wandert gewandert sein | person | manner:speed with:person,dog
climb climbed | klettern klettert geklettert sein | youngster monkey squirrel goat cat | place:scene manner:speed,care
live lived | wohnen wohnt gewohnt haben | person dragon | stative place:scene needs-place
*see seen | sehen sieht gesehen haben | person animal > person animal thing place food | place:scene
*find found | finden findet gefunden haben | person animal > thing food pet farm | place:scene
*hear heard | hören hört gehört haben | person animal > person animal drum clock story poem | place:scene
*like liked | mögen mag gemocht haben | person > person animal food drink place readable toy | stative
*love loved | lieben liebt geliebt haben | person > animal food readable place toy plant | stative
*look looked | suchen sucht gesucht haben | person animal > person animal thing food | particle:for place:scene
*visit visited | besuchen besucht besucht haben | person > person building island village city garden | manner:joy with:person
*read read | lesen liest gelesen haben | person > readable | place:scene,seat manner:voice,calm for:person
*eat eaten | essen isst gegessen haben | person > food | place:scene manner:speed with:spoon,fork
*drink drunk | trinken trinkt getrunken haben | person animal > drink | place:scene manner:speed
*buy bought | kaufen kauft gekauft haben | person > thing food drink | for:person
*carry carried | tragen trägt getragen haben | person > thing food | manner:care,speed
*catch caught | fangen fängt gefangen haben | person > ball balloon mouse bird frog hen | place:scene manner:speed with:person
*paint painted | malen malt gemalt haben | person > image animal place flower rose boat king queen | place:scene manner:calm,care with:brush for:person
*help helped | helfen hilft geholfen haben | person > person animal | dative place:scene manner:joy
*thank thanked | danken dankt gedankt haben | person > person | dative manner:joy,polite
*follow followed | folgen folgt gefolgt sein | animal > person animal | dative manner:speed,calm
answer answered | antworten antwortet geantwortet haben | person > person | dative manner:polite,voice
trust trusted | vertrauen vertraut vertraut haben | person animal > person pet farm | dative stative
congratulate congratulated | gratulieren gratuliert gratuliert haben | person > person | dative manner:joy,polite
know known | kennen kennt gekannt haben | person > person story poem place | stative
meet met | treffen trifft getroffen haben | person > person animal | place:scene
call called | rufen ruft gerufen haben | person > person pet farm | manner:voice
greet greeted | grüßen grüßt gegrüßt haben | person > person | manner:polite,joy place:scene
wake woken | wecken weckt geweckt haben | person pet hen > person pet lion dragon bear | manner:calm
watch watched | beobachten beobachtet beobachtet haben | person animal > animal river clock | place:scene manner:calm
feed fed | füttern füttert gefüttert haben | person > animal baby | place:scene with:spoon
wash washed | waschen wäscht gewaschen haben | person > pet farm plate cup shirt dress car apple carrot | place:scene manner:care
clean cleaned | putzen putzt geputzt haben | person > furniture room kitchen shoe lamp bicycle boat crown | manner:care with:brush,broom
cook cooked | kochen kocht gekocht haben | person > cooked egg potato carrot | place:kitchen manner:calm for:person
bake baked | backen backt gebacken haben | person > baked | place:kitchen manner:joy for:person
write written | schreiben schreibt geschrieben haben | person > written book | place:scene,seat manner:calm with:pencil for:person
draw drawn | zeichnen zeichnet gezeichnet haben | person > animal place flower boat car | place:scene manner:care with:pencil for:person
build built | bauen baut gebaut haben | person > house tower bridge boat table chair tent bench robot castle | manner:care with:hammer for:person
repair repaired | reparieren repariert repariert haben | person > vehicle furniture clock lamp roof bridge robot shoe | manner:care with:hammer for:person
open opened | öffnen öffnet geöffnet haben | person > opened box bag suitcase letter gift umbrella basket | manner:care,speed with:key
close closed | schließen schließt geschlossen haben | person > opened box bag suitcase book | manner:care,speed
pick picked | pflücken pflückt gepflückt haben | person > fruit flower rose | place:garden,park manner:care for:person
plant planted | pflanzen pflanzt gepflanzt haben | person > tree flower rose potato tomato | place:garden,park,forest manner:care with:shovel
push pushed | schieben schiebt geschoben haben | person elephant bear > vehicle box table cupboard bed stone | manner:speed,care
pull pulled | ziehen zieht gezogen haben | person horse donkey elephant > vehicle box suitcase | manner:speed
throw thrown | werfen wirft geworfen haben | youngster clown monkey giant > ball stone nut apple hat
hide hidden | verstecken versteckt versteckt haben | person squirrel monkey fox > key ring crown letter gift food | place:scene manner:care,secret
steal stolen | stehlen stiehlt gestohlen haben | pirate fox monkey mouse dragon > crown ring key egg food boat | manner:secret,speed
lose lost | verlieren verliert verloren haben | person > worn key ring shoe letter toy | place:scene
forget forgotten | vergessen vergisst vergessen haben | person > worn key story letter poem
need needed | brauchen braucht gebraucht haben | person > thing tool drink friend doctor | stative
collect collected | sammeln sammelt gesammelt haben | person squirrel > stone nut egg postcard book picture flower | place:scene manner:joy
choose chosen | wählen wählt gewählt haben | person > thing cake pear
taste tasted | probieren probiert probiert haben | person bear > food drink | manner:care with:spoon
sell sold | verkaufen verkauft verkauft haben | person > thing food drink
order ordered | bestellen bestellt bestellt haben | person > food drink | for:person
praise praised | loben lobt gelobt haben | person > person dog horse soup cake picture
rescue rescued | retten rettet gerettet haben | person dog > person animal | with:boat
sew sewn | nähen näht genäht haben | person > sewn coat bag doll | manner:care,calm for:person
get got | bekommen bekommt bekommen haben | person > readable toy thing | from:person
*give given | geben gibt gegeben haben | person > thing food drink toy > person
*show shown | zeigen zeigt gezeigt haben | person > thing readable place animal > person
bring brought | bringen bringt gebracht haben | person > thing food drink > person
send sent | schicken schickt geschickt haben | person > letter postcard gift picture book flower > person
lend lent | leihen leiht geliehen haben | person > book tool vehicle umbrella coat jacket > person
tell told | erzählen erzählt erzählt haben | person > told > person pet | place:scene manner:voice,calm
"""
