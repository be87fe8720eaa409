import { WordTable } from "./hashes.ts";

/** The commonest English words. If undoing a disguise produces such words, the disguise was real. */
export const commonWords: readonly string[] = (
  "a able about above across act action actually add after again against ago agree all allow almost alone along " +
  "already also always am among an and animal another answer any anyone anything appear are area around as ask at " +
  "away back bad base be beautiful became because become been before began begin behind being believe below best " +
  "better between beyond big bit black board body book both box boy break bring brother brought build built " +
  "business but buy by call came can cannot capital car care carry case catch cause center certain chance change " +
  "character check child children choose city class clear close code cold color combine come command common company " +
  "complete concatenate condition consider contain content continue control conversation copy correct cost could " +
  "country couple course cover create cut data date day dear decide deep describe did die different difficult " +
  "direct do document does dog done dont door down draw drive during each early earth easy eat education else email " +
  "end english enough enter even evening ever every everyone everything exact exactly example execute explain eye " +
  "face fact fall family far fast father feedback feel feet few field fight file fill final find fine finish fire " +
  "first five floor follow following food foot for force form found four free french friend from front full game " +
  "gave general generate get girl give given go goal going gold gone good got government grammar great green ground " +
  "group grow had half hand happen happy hard has hat have he head hear heart heat heavy hello help her here hi " +
  "high him his history hold home hope hot hour house how however human hundred i idea if important in include " +
  "information inside instead interest into is it its itself job join just keep key kind king knew know known land " +
  "language large last late later laugh law lead learn least leave left less let letter letters level life light " +
  "like line list listen little live local long look lose lost lot love low machine made main make man many mark " +
  "matter may maybe me mean meet member men message might mind minute miss model moment money month more morning " +
  "most mother move movie much music must my myself name near need negative never new news next nice night no none " +
  "nor not note nothing now number of off offer office often oh ok old on once one only open or orange order " +
  "original other others our out over own page paper paragraph part party pass past pay people perhaps person " +
  "phrase picture piece place plan play please point poor positive possible power practice present press print " +
  "problem process produce program provide public pull punctuation push put question quick quickly quite quotation " +
  "quote quotes reach read ready real really reason receive red remember repeat reply request respond response rest " +
  "result return review right role room rule run safe said same saw say says school score second see seem seen self " +
  "send sense sent sentence serve service set several shall she short should show side sign simple simply since " +
  "sing single sister sit six size sleep slow small so some someone something song soon sorry sort sound speak " +
  "special spell spelling stand star start state statement stay step still stop story street strong student study " +
  "such sure system table take taken talk task teach tell ten text than thank thanks that the their them then there " +
  "these they thing things think this those though thought thousand three through time title to today together told " +
  "too took top toward town translate translation tree true try turn two type under understand unit until up upon " +
  "us use used user using usually value very voice wait walk wall want war was watch water way we week well went " +
  "were what when where whether which while white who whole whose why will wind wish with within without woman word " +
  "words work world would write wrong wrote yeah year yes yesterday yet you young your yourself"
).split(" ");

const table = new WordTable(commonWords.map((word) => [word, 1] as const));

export const isCommon = (hash: number): boolean => table.get(hash) !== 0;
