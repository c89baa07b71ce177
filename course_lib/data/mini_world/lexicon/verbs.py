"""The verbs of the mini-world, as a table. Two lines for each:

    [*]base participle | infinitive third-person participle auxiliary
        subject > object > recipient | marks

`*` puts the verb into the small vocabulary too, `**` into the tiny one as well. Subject, object
and recipient are lists of noun classes (or single English nouns); a verb without an object is
intransitive. Marks:

    dative        the German object stands in the dative (helfen)
    stative       no perfect, no time, no manner (to know)
    needs-place   incomplete without a place (to sit)
    motion        here and outside do not follow: they would mean a goal (to run)
    particle:for  English adds this word (to look for)
    place:x,y     a place of these kinds may follow; a noun's own name stands for: in it
    manner:x,y    manner adverbs of these groups may follow
    with:x,y      a phrase with "with" may follow, its noun from these classes; for:, from: likewise
"""

VERBS = """
**sleep slept | schlafen schläft geschlafen haben
    person infant animal | place:scene,nook manner:calm
*run run | laufen läuft gelaufen sein
    youngster man woman pet farm lion tiger wolf fox bear | place:ground manner:speed motion
*play played | spielen spielt gespielt haben
    youngster pet monkey bear | place:scene,nook manner:joy with:toy,pet
**laugh laughed | lachen lacht gelacht haben
    person infant | place:scene manner:voice
dance danced | tanzen tanzt getanzt haben
    person bear | place:scene manner:joy with:person
swim swum | schwimmen schwimmt geschwommen sein
    person swimmer dog bear | place:water manner:speed
**wait waited | warten wartet gewartet haben
    person pet horse | place:scene,nook manner:calm
*sit sat | sitzen sitzt gesessen haben
    person pet bird owl monkey | place:seat,nook needs-place manner:calm
work worked | arbeiten arbeitet gearbeitet haben
    person | place:scene manner:care
sing sung | singen singt gesungen haben
    person bird | place:scene manner:voice,joy for:person
jump jumped | springen springt gesprungen sein
    youngster clown frog cat squirrel goat rabbit | place:ground manner:joy motion
cry cried | weinen weint geweint haben
    youngster infant giant princess clown | place:scene,nook manner:voice
smile smiled | lächeln lächelt gelächelt haben
    person infant | place:scene manner:joy
fly flown | fliegen fliegt geflogen sein
    flyer witch | manner:speed
sneeze sneezed | niesen niest geniest haben
    person infant elephant cat dragon pig | place:scene manner:voice
dream dreamt | träumen träumt geträumt haben
    person pet | place:scene
stand stood | stehen steht gestanden haben
    person farm elephant penguin | place:scene needs-place manner:calm
travel travelled | reisen reist gereist sein
    person | manner:joy with:person
live lived | wohnen wohnt gewohnt haben
    person dragon owl fox | stative place:home needs-place
**see seen | sehen sieht gesehen haben
    person animal > person animal thing place food vehicle | place:scene
**find found | finden findet gefunden haben
    person animal > thing food pet farm | place:scene,nook
**hear heard | hören hört gehört haben
    person animal > person animal clock story poem | place:scene
*like liked | mögen mag gemocht haben
    person > person animal food drink place readable toy | stative
love loved | lieben liebt geliebt haben
    person > animal food readable place toy plant | stative
*look looked | suchen sucht gesucht haben
    person animal > person animal thing food | particle:for place:scene
**visit visited | besuchen besucht besucht haben
    person > person building village city garden | manner:joy with:person
**read read | lesen liest gelesen haben
    person > readable | place:scene,seat manner:voice,calm for:person
*eat eaten | essen isst gegessen haben
    person > food | place:scene manner:speed with:spoon,fork
*drink drunk | trinken trinkt getrunken haben
    person pet farm > drink | place:scene manner:speed
*buy bought | kaufen kauft gekauft haben
    person > thing food drink vehicle furniture | for:person
**carry carried | tragen trägt getragen haben
    person > thing food | manner:care,speed
catch caught | fangen fängt gefangen haben
    person > ball mouse bird frog hen rabbit | place:scene manner:speed with:person
*paint painted | malen malt gemalt haben
    person > picture animal place flower rose boat king queen | place:scene manner:care with:brush
*help helped | helfen hilft geholfen haben
    person > person animal | dative place:scene manner:joy
*thank thanked | danken dankt gedankt haben
    person > person | dative manner:joy,polite
*follow followed | folgen folgt gefolgt sein
    animal > person animal | dative manner:speed,calm
answer answered | antworten antwortet geantwortet haben
    person > person | dative manner:polite,voice
trust trusted | vertrauen vertraut vertraut haben
    person pet > person pet farm | dative stative
congratulate congratulated | gratulieren gratuliert gratuliert haben
    person > person | dative manner:joy,polite
know known | kennen kennt gekannt haben
    person > person story poem place | stative
meet met | treffen trifft getroffen haben
    person > person animal | place:scene
call called | rufen ruft gerufen haben
    person > person pet farm | manner:voice
greet greeted | grüßen grüßt gegrüßt haben
    person > person | place:scene manner:polite,joy
wake woken | wecken weckt geweckt haben
    person pet hen > person pet lion dragon bear | manner:care
watch watched | beobachten beobachtet beobachtet haben
    person pet > animal river clock | place:scene manner:care
feed fed | füttern füttert gefüttert haben
    person > animal baby | place:scene manner:care
wash washed | waschen wäscht gewaschen haben
    person > pet farm cup shirt dress car apple carrot | place:scene manner:care
clean cleaned | putzen putzt geputzt haben
    person > furniture opening vehicle room kitchen shoe lamp crown | manner:care with:brush
cook cooked | kochen kocht gekocht haben
    person > soup egg potato carrot | place:kitchen manner:calm for:person
bake baked | backen backt gebacken haben
    person > baked | place:kitchen manner:joy for:person
write written | schreiben schreibt geschrieben haben
    person > written book | place:seat,garden manner:calm with:pencil for:person
draw drawn | zeichnen zeichnet gezeichnet haben
    person > animal place flower boat car | place:scene manner:care with:pencil for:person
build built | bauen baut gebaut haben
    person > house tower bridge boat table chair bench robot castle | manner:care with:hammer
repair repaired | reparieren repariert repariert haben
    person > vehicle furniture opening clock lamp bridge robot | manner:care with:hammer
open opened | öffnen öffnet geöffnet haben
    person > opening cupboard box bag letter gift umbrella | manner:care,speed with:key
close closed | schließen schließt geschlossen haben
    person > opening cupboard box bag book umbrella | manner:care,speed
pick picked | pflücken pflückt gepflückt haben
    person > fruit tomato flower rose | place:garden,park manner:care for:person
plant planted | pflanzen pflanzt gepflanzt haben
    person > tree flower rose potato tomato | place:garden,park,forest manner:care
pull pulled | ziehen zieht gezogen haben
    person horse donkey elephant > vehicle box | manner:speed
throw thrown | werfen wirft geworfen haben
    youngster clown monkey giant > ball nut apple hat shoe
hide hidden | verstecken versteckt versteckt haben
    person squirrel monkey fox > key ring crown letter gift nut | place:scene,nook manner:secret
steal stolen | stehlen stiehlt gestohlen haben
    pirate fox monkey mouse dragon > crown ring key egg food boat | manner:secret,speed
lose lost | verlieren verliert verloren haben
    person > worn key ring shoe letter toy | place:scene
forget forgotten | vergessen vergisst vergessen haben
    person > worn key letter text
need needed | brauchen braucht gebraucht haben
    person > thing drink vehicle friend doctor | stative
collect collected | sammeln sammelt gesammelt haben
    person squirrel > nut egg book picture flower | place:scene manner:joy
taste tasted | probieren probiert probiert haben
    person bear > food drink | manner:care with:spoon
rescue rescued | retten rettet gerettet haben
    person dog > person animal | with:boat
sew sewn | nähen näht genäht haben
    person > dress shirt coat bag doll | manner:care,calm for:person
get got | bekommen bekommt bekommen haben
    person > thing vehicle | from:person
*give given | geben gibt gegeben haben
    person > thing food drink > person
*show shown | zeigen zeigt gezeigt haben
    person > thing readable place animal vehicle > person
bring brought | bringen bringt gebracht haben
    person > thing food drink > person
send sent | schicken schickt geschickt haben
    person > letter gift picture book flower > person
tell told | erzählen erzählt erzählt haben
    person > story joke > person pet | place:scene manner:voice,calm
"""
