// English as far as a question needs it: small words, words that carry no filter, short forms and irregular forms.

/** Words that may stand inside a phrase. */
export const smallWords = toSet(`
  a an the this that these those their its his her is are was were be been being am has have had do does did will would can could should
  still yet already currently now even just also really ever all any some there they them we you it
`);

/** Words without a filter of their own, besides those of the vocabulary. */
export const fillerWords = toSet(`
  mind provide rn random keyword keywords generate generates cause causes caused produce complain complains complaining notice feel bother
  escalate focus prioritize review track follow i.e e.g decide expect believe wish remember forget busy engaged stuck actually major worst
  handy useful interesting relevant related latest overall general common typical usual normal regular special urgent active me mine
  myself our ours your he him she them whom whose where why anything something everyone everybody either neither both other another such
  same ones many much few fewer less several lots bunch handful couple plenty amount total sum tally figure figures above along around as
  before below beneath beside besides despite during except from like onto regarding since than throughout till toward towards until via
  concerning plus minus or but nor so then because while although though unless whether doing having shall must nothing today presently
  right only very quite rather pretty basically simply maybe perhaps probably exactly roughly approximately altogether together here
  anywhere somewhere everywhere please pls plz kindly thanks thank thx cheers hi hey hello yo okay sure yes yeah alright sorry well
  morning afternoon evening mate buddy copilot bot assistant show tell fetch find see view display check bring print return let love know
  wonder wondering help try says said mean means think guess suppose hope names search filter include exclude remind summarize summarise
  recap goes gone comes kept keeps makes made takes took taken got gotten gets sits sitting hanging float floating lying standing stays
  happens happened exist exists remains remaining becomes seem seems appear appears turned sets leave leaves gimme lemme wanna gotta
  curious interested aware able supposed required quick quickly things stuff items entry entries record records result results lists
  overview summary rundown snapshot picture details detail moment times day week month year kinds types parts question idea dashboard page
  table screen world bottom beginning good bad better big small large full whole entire main real current present existing possible
  certain particular specific various different further additional extra second old young early great actual single guys persons users
  customers clients colleagues engineers agents services shift members management manager raised logged filed reported created submitted
  received receive recorded registered register entered added add lodged arrived arrive landed land linked link tied tie attached attach
  associated associate connected relating belonging concerned concern involving involve affecting affected impacting impacted hitting
  touching mention mentioned mentioning contain contains containing description title text word words called named titled labelled labeled
  marked flagged tagged wrong problems issues percent cent share spread compared compare versus vs ratio average meanwhile anyway btw fyi
  asap eod etc ie eg whatsoever ago hour hours minute minutes min mins days weeks months tonight tomorrow yesterday weekend night
  overnight s don won isn aren wasn weren hasn haven hadn doesn didn couldn wouldn shouldn ve ordering ascending descending grouped
  account load loads pile piled piling stack stacked worth dealing handling distribute distributed swamped drowning overloaded older newer
  younger shorter earlier later sooner two three four five six seven eight nine ten eleven twelve half fortnight quarter january february
  march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday mon tue wed
  thu fri noon lunch upwards prior lately located locate based ran theirs anymore stale idle untouched inactive fall falls falling fell
  face facing faced cover covering covers deals acting playing easy volume bigger larger smaller lower twice thrice euro euros eur dollar dollars usd pounds
`);

/** Short forms and what they stand for. Forms with n't, 'm, 're, 've, 'll and 'd need no entry. */
export const contractions = toMap(`
  won't=will_not can't=can_not ain't=is_not let's=let_us what's=what_is who's=who_is where's=where_is how's=how_is when's=when_is
  that's=that_is it's=it_is there's=there_is here's=here_is nobody's=nobody_is anything's=anything_is everything's=everything_is
  something's=something_is someone's=someone_is whats=what_is whos=who_is hows=how_is wheres=where_is whens=when_is thats=that_is
  theres=there_is isnt=is_not arent=are_not wasnt=was_not werent=were_not hasnt=has_not havent=have_not hadnt=had_not dont=do_not
  doesnt=does_not didnt=did_not wont=will_not cant=can_not cannot=can_not couldnt=could_not im=i_am ive=i_have gimme=give_me lemme=let_me
  gonna=going_to wanna=want_to noones=no_one_is no-one=no_one
`);

/** Forms that no ending explains. */
export const irregular = toMap(`
  thought=think knew=know felt=feel blew=blow blown=blow broke=break broken=break came=come went=go gone=go took=take taken=take ran=run got=get gotten=get gave=give
  given=give made=make did=do done=do held=hold sat=sit stood=stand fell=fall kept=keep left=leave lost=lose met=meet sent=send bought=buy
  began=begin wrote=write written=write saw=see seen=see found=find built=build threw=throw froze=freeze frozen=freeze stuck=stick
  hung=hang is=be are=be was=be were=be am=be been=be being=be has=have had=have does=do goes=go dependencies=dependency said=say shown=show
  folks=group guys=group
`);

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

function toMap(pairs: string): ReadonlyMap<string, string> {
  const entries = pairs
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('='));
  return new Map(entries.map(([form = '', meaning = '']) => [form, meaning.replaceAll('_', ' ')]));
}
