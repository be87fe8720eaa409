import { hashOf, WordTable } from "./hashes";
import { standsAlone } from "./letters";
import { clean } from "./view";

/**
 * The words the phrases are made of, by what they do in an attack. Words of other languages follow the English ones;
 * they also belong to `foreign`, because word order differs and phrases of theirs match in any order.
 */
const english = {
  override:
    "ignore ignores ignored ignoring disregard disregards disregarding forget forgets forgetting override overrides overriding overrule overwrite discard discarding dismiss neglect skip skipping abandon erase nullify void supersede supersedes bypass unlearn",
  not: "not dont never cannot cant wont shouldnt mustnt no avoid stop cease refuse",
  follow:
    "follow following obey obeying comply complying adhere adhering listen honor honour heed respect use using abide consider",
  prior:
    "previous previously prior above preceding earlier before past foregoing initial original existing former last current aforementioned given initially beforehand first programmed",
  all: "all any every each everything anything whatever these those entire complete such what stuff",
  your: "your yours my its their ur you his our thy assistants models",
  instr:
    "instruction instructions direction directions directive directives guideline guidelines rule rules command commands order orders prompt prompts constraint constraints restriction restrictions programming training policy policies context message messages task tasks assignment assignments requirement requirements conversation content text prompting protocol protocols",
  reveal:
    "reveal reveals revealing show showing print display output repeat tell give share disclose expose leak dump list recite return echo reproduce write spell summarize summarise describe provide paste quote state translate type render extract expand enumerate regurgitate",
  hidden: "system hidden initial original secret internal developer confidential underlying preset exact pre",
  ignore: "ignore disregard forget",
  show: "reveal show print display output repeat tell give share disclose expose leak dump list recite echo reproduce provide paste summarize",
  yours: "your yours ur",
  obey: "follow execute obey comply",
  taunt: "pwned pwnd pwn pwnt hacked owned jailbroken compromised hijacked",
  prompt:
    "prompt prompts instruction instructions message messages configuration config directives preamble settings context setup preprompt metaprompt guidelines prefix priming premise",
  what: "what whats how which where",
  output:
    "say says saying print output respond reply answer write tell state return display respond translate repeat echo type give",
  instead: "instead only simply just exactly solely verbatim merely",
  and: "and then now instead",
  after: "above before previously earlier prior given provided received until preceding previous said told",
  fresh:
    "new updated real actual revised true following additional secret special latest important urgent next different",
  now: "now onwards henceforth immediately today onward forward",
  you: "you u youre youll ai assistant model chatbot gpt chatgpt llm agent bot claude",
  are: "are r be become are is act behave will must shall youre youll can",
  exfil:
    "send sends exfiltrate leak leaks upload uploads forward forwards post email transmit transfer reveal disclose expose dump share submit steal paste relay mail steals",
  leak: "exfiltrate leak leaks reveal disclose expose dump transmit upload divulge",
  owned: "your the users user owners all any every",
  ask: "give show tell print display list provide output need want hand get read access retrieve extract export fetch find collect return copy include enter type confirm",
  secret:
    "password passwords passwd passphrase passphrases mnemonic mnemonics credential credentials secrets privkey apikey apikeys env dotenv keystore seedphrase logins pin cvv ssn cookies",
  keykind:
    "private api secret access seed recovery ssh signing wallet encryption session auth bearer backup master mnemonic security authentication environment login admin keystore decryption",
  key: "key keys phrase phrases token tokens words credentials seed variables secrets cookie cookies code codes files details password passwords",
  pay: "send transfer wire pay move withdraw forward approve sweep drain swap deposit payout remit transact sign authorize authorise buy purchase bridge release donate sending paying transferring donating execute",
  drain: "drain sweep siphon",
  money:
    "usdc usdt eth ether weth dai funds fund money balance balances wallet wallets payment payments dollar dollars usd btc bitcoin coins crypto assets budget credits treasury euros eur savings transaction transactions holdings invoice token tokens transfer",
  without: "without bypassing skipping no dont not never skip avoid bypass neednt",
  confirm:
    "ask asking confirm confirming confirmation confirmations approval approve permission consent telling notify notifying notification informing inform verify verifying verification authorization authorisation review reviewing question questions hesitation checks check checking prompting alerting alert mentioning approvals consulting waiting",
  bypass:
    "bypass circumvent disable deactivate evade remove lift unlock evading bypassing disabling sidestep defeat override suppress subvert",
  safety:
    "safety safeguard safeguards filter filters filtering restriction restrictions guardrail guardrails moderation ethics ethical limitations censorship protections protection firewall policies policy guidelines safeties constraints alignment rules security limits boundaries programming protocols validation morals disclaimers warnings limit",
  free: "unrestricted uncensored unfiltered jailbroken amoral unethical unlimited unbound unchained dan limitless unaligned lawless freed liberated",
  modeword:
    "developer god debug admin root sudo dan jailbreak jailbroken unrestricted maintenance override unsafe evil chaos uncensored unfiltered opposite privileged superuser diagnostic test",
  mode: "mode access",
  enter: "enter enable activate switch engage initiate enabled activated entering start into unlock turn boot",
  pretend: "pretend act roleplay imagine simulate behave become assume impersonate emulate play",
  refuse: "refuse refusing decline refusal refusals reject apologize apologise deny warn sorry",
  authority:
    "developer developers creator creators admin administrator openai anthropic google engineer owner operator root ceo supervisor sysadmin maintainer",
  iam: "im iam am",
  this: "this here",
  call: "call invoke execute run trigger launch",
  tool: "tool tools function functions command commands shell terminal bash plugin browser curl",
  must: "must need should required obliged immediately",
  visit: "visit open fetch download browse click load navigate go read retrieve access import",
  url: "http https www url link website webpage page site com net io xyz evil server",
  decode: "decode decrypt decipher unscramble deobfuscate base64 rot13 hex decoded decoding unencode",
  talk: "conversation chat history context data messages transcript contents information emails files documents memory response",
  to: "to at towards into via",
  self: "i",
  have: "have hve",
  been: "been ben",
  canary: "pwned pwnd pwn pwnt",
  inform: "tell telling inform informing mention mentioning notify notifying alert alerting say show reveal disclose",
  person: "user users human humans anyone owner customer operator them him her person",
  urgent: "immediately urgent urgently asap instantly silently secretly quietly",
  limit: "limit limits mandate allowance cap recipient payto payee destination beneficiary iban account",
  change: "increase raise change set replace update modify switch remove redirect",
  speech: "repeat recite echo copy write print output transcribe type",
  everything: "everything all words text sentence content paragraph paragraphs verbatim",
  topic:
    "attack attacks attacker attackers injection injections adversarial jailbreak jailbreaks jailbreaking vulnerability vulnerabilities owasp mitigation mitigations exploit exploits malicious threat threats detection defense defence defenses payload payloads phishing dataset classifier benchmark research paper example examples technique techniques risk risks scenario scenarios detect detects prevent prevents phrases adversary hackers jailbroken",
} as const;

export type Class = keyof typeof english | "foreign";

/** Folded as texts are: without accents where the letters are Latin. */
const others: Partial<Record<Class, string>> = {
  override:
    // es pt fr it de nl pl ro tr id sv da cs hu fi
    "ignora ignorad ignorar ignoren olvida olvidad olvide olvidar descarta omite omitir desestima desconsidera desconsidere desconsiderar ignore esqueca esquece esquecer esqueçam ignorez ignorer oublie oubliez oublier dimentica dimenticate dimenticare ignorare ignori trascura scorda ignoriere ignorieren ignorier ignoriert streiche streichen verwirf verwerfen vergiß vergiss vergesst vergessen missachte negeer negeren vergeet zignoruj ignoruj zapomnij pomin ignorati ignoră uita uitati sayma unut unutun gormezden yoksay say abaikan lupakan hiraukan ignorera glom glöm bortse ignorer glem glemm zapomen zapomente hagyd figyelmen felejtsd unohda sivuuta jata " +
    // ru uk el ar he fa hi
    "игнорировать забыть отбрось отбросьте удали игнорируй игнорируйте проигнорируй проигнорируйте забудь забудьте отмени пропусти ігноруй ігноруйте забудь забудьте проігноруй проігноруйте αγνοησε αγνόησε αγνοήστε ξέχασε ξεχασε تجاهل تجاهلوا انس انسى التجاهل התעלם התעלמי התעלמו שכח תשכח نادیده فراموش अनदेखा नजरअंदाज नज़रअंदाज़ भूल भूलो উপেক্ষা ভুলে " +
    // zh ja ko th vi
    "不管 抛开 放弃 取消 忽略 无视 無視 忘记 忘記 忘掉 不要理会 別管 別理會 忘れて 忘れろ 破棄 従わない 無効 忽視 무시 잊어 잊고 무시하고 무시해 เพิกเฉย ละเว้น ลืม ไม่ต้องสนใจ bỏ " +
    // Hindi in Latin letters
    "bhul bhool bhoolo bhulo bhulja nazarandaz",
  prior:
    "anteriores anterior previas previos previo anteriormente precedentes precedente anteriori précédentes precedenti prima vorhergehenden vorherigem vorheriges früheren frühere vorherigen vorherige vorigen vorige bisherigen bisherige davor zuvor obigen obige oben vorher vorangegangenen eerdere vorige bovenstaande voorgaande poprzednie poprzednich wczesniejsze powyzsze powyższe anterioare precedente önceki onceki yukarıdaki yukaridaki sebelumnya tidigare föregående forrige tidligere ovenfor předchozí předešlé korábbi előző fenti aiemmat edelliset aikaisemmat " +
    "предыдущее предыдущий прежде предыдущие предыдущих предыдущую прошлые прежние выше ранее попередні минулі вище προηγουμενες προηγούμενες προηγουμενα السابقة السابق أعلاه القديمة הקודמות הקודם הקודמים לעיל قبلی پیشین पिछले पिछली पूर्व ऊपर আগের পূর্ববর্তী " +
    "之前 先前 以前 以上 上述 前面 此前 上面 これまで 以前の 上記 前の 今まで 先ほど 이전 앞선 위의 지금까지 ก่อนหน้า ที่ผ่านมา pichle pichla pehle upar",
  all:
    "todas todos todo toda cualquier toutes tous toute tout tutte tutti ogni alle alles allen aller sämtliche wszystkie wszystkich toate toti tüm tum bütün hepsini semua seluruh alla allt všechny vsechny minden összes kaikki " +
    "все всё всех усі всі όλες ολες όλα كل جميع כל همه सभी सब সব 所有 一切 全部 すべて 全て 全ての 모든 모두 ทั้งหมด tất sab sabhi saare",
  your: "tu tus su sus seu sua seus tuo tuoi tua dein deine deinen deiner deinem ihre ihren votre vos ton tes je jouw uw twoj twoje swój swoj tau sistem anda kamu din ditt dine твой твои твою свой свою ваш ваши ваші твої σου خاصتك שלך خود अपना अपनी अपने तुम्हारा आपका 你的 您的 あなたの 당신의 너의 ของคุณ apna apne apni tumhara",
  instr:
    "informationen angaben texte nachrichten fragen arbeitsanweisungen información mensajes textos conversación tareas directivas informations textes tâches conversation consigne informazioni messaggi compiti testi informações mensagens tarefas conversas informatie berichten taken informacje wiadomości zadania bilgileri mesajları görevleri informasi pesan tugas instrucciones instruccion indicaciones ordenes órdenes reglas directrices instruções instrucoes instrução regras ordens diretrizes comandos consignes directives règles regles ordres istruzioni regole ordini comandi direttive anweisungen anweisung instruktionen befehle befehl regeln vorgaben anordnungen aufgaben richtlinien instructies regels opdrachten aanwijzingen instrukcje instrukcji polecenia zasady reguły instructiunile instrucțiunile instructiuni regulile comenzile talimatları talimatlari talimatlar talimat kuralları kurallari komutları yönergeleri instruksi perintah aturan petunjuk instruktioner instruktionerna regler reglerna ordrer instruksjoner instrukser pokyny instrukce pravidla příkazy utasítást utasításokat utasitasokat szabályokat parancsokat ohjeet ohjeita saannot komennot " +
    "информацию сообщения задания задачи промпты ограничения інформацію повідомлення инструкции инструкций указания указаний правила команды приказы инструкцию інструкції вказівки правила οδηγιες οδηγίες κανονες εντολες التعليمات تعليمات الأوامر القواعد ההוראות הוראות ההנחיות הכללים دستورالعمل دستورات دستورالعملها निर्देशों निर्देश आदेश नियम निर्देशो নির্দেশ নির্দেশনা নির্দেশাবলী " +
    "内容 信息 資訊 設定 设定 指引 限制 约束 規定 规定 指令 指示 说明 命令 规则 規則 提示 提示词 提示詞 ルール 命令 プロンプト 지시 지시를 지시사항 명령 규칙 프롬프트 คำสั่ง คำแนะนำ กฎ lệnh hướng nirdesh niyam aadesh instructions",
  reveal:
    "revela revele revelar muestra muestrame muéstrame mostrar muestre dime imprime mostra mostre diga dimmi rivela mostrami svela stampa révèle revele révélez montre affiche affichez dis zeige zeig zeigen drucken drucke nenne verrate offenbare gib ausgeben toon onthul geef vertel laat ujawnij pokaż pokaz wyświetl podaj dezvaluie dezvăluie arata arată goster göster gösterin açıkla yazdır söyle tampilkan ungkapkan tunjukkan beritahu avslöja visa vis avslør ukaž ukaz prozraď zobraz mutasd fedd nayta näytä paljasta " +
    "покажи покажите раскрой раскройте выведи выведите скажи напиши розкрий покажи виведи δειξε δείξε αποκάλυψε اكشف أظهر اعرض اطبع اخبرني חשוף הצג הראה גלה نشان افشا दिखाएं दिखाओ बताओ बताएं प्रकट দেখাও প্রকাশ " +
    "显示 顯示 透露 告诉我 告訴我 输出 輸出 展示 打印 公开 表示して 教えて 出力して 見せて 開示 보여줘 보여 알려줘 출력 공개 แสดง เปิดเผย บอก tiết hiển dikhao batao bata dikha",
  hidden:
    "sistema système systeme systemowy sistem systemu rendszer järjestelmän systemaufforderung ocultas ocultos oculto cachées verborgen geheim systeem системный системную системні системна системы скрытые النظام המערכת سیستم सिस्टम 系统 系統 システム 시스템 ระบบ thống সিস্টেম",
  fresh:
    "neue neuen neuer nueva nuevas nouvelle nouvelles nuove nuova nova novas nowe nowa yeni baru новые новое новая нові نئی جديدة חדשות नए नया 新的 新しい 새로운",
  prompt:
    "prompt eingabeaufforderung systemprompt invite promptul promptunu istemini istem systemprompt systeemprompt систем промпт промт подсказку запрос промпта موجه הנחיית הנחיה प्रॉम्प्ट 提示词 提示詞 提示 プロンプト 프롬프트 พรอมต์ nhắc প্রম্পট",
  secret:
    "contraseña contrasena contraseñas contrasenas clave senha senhas mdp passwort passwörter kennwort zugangsdaten wachtwoord hasło haslo hasła parola parolele parolă şifre sifre şifreni sandi lösenord passord adgangskode heslo jelszó jelszavakat salasana credenciales identifiants credenziali " +
    "пароль пароли паролі ключ ключи κωδικό κωδικος συνθηματικο المرور كلمة السر סיסמה סיסמאות רمز पासवर्ड कुंजी 密码 密碼 密钥 私钥 私鑰 助记词 助記詞 パスワード 秘密鍵 비밀번호 개인키 비밀 รหัสผ่าน khẩu পাসওয়ার্ড",
  been: "sido",
  exfil:
    "envía envia envíe envie enviar manda mande envoie envoyez invia manda schicke sende senden stuur verstuur wyślij wyslij trimite gönder gonder kirim kirimkan skicka send pošli posli küldd lähetä отправь отправьте пришли надішли στείλε στειλε أرسل ارسل שלח بفرست भेजो भेजें 发送 發送 发给 傳送 转账 轉帳 送って 送信 보내 보내줘 송금 ส่ง gửi bhejo bhej পাঠাও",
};

const classes: readonly string[] = [...Object.keys(english), "foreign"];
const foreignClass = classes.length - 1;
if (classes.length > 96) throw new Error("Three sets of 32 hold no more classes");

/** Which classes word w is in, as three sets of 32. Word 0 is every word the rules do not know. */
const low: number[] = [0];
const high: number[] = [0];
const top: number[] = [0];
const words: string[] = [""];
const ids = new Map<string, number>();
/** Words of scripts without spaces, by their first character, longest first. */
const literals = new Map<number, { text: string; word: number }[]>();

for (const [source, isForeign] of [
  [english as Partial<Record<Class, string>>, false],
  [others, true],
] as const) {
  for (const [name, list] of Object.entries(source)) {
    const index = classes.indexOf(name);
    // One by one: beside Latin letters, words of look-alike letters are read as Latin.
    for (const word of list.split(" ")) enlist(clean(word).view.text.toLowerCase(), index, isForeign);
  }
}

const table = new WordTable(words.map((word, id) => [word, id] as const).slice(1));

export const classLow = Int32Array.from(low);
export const classHigh = Int32Array.from(high);
export const classTop = Int32Array.from(top);
export const wordCount = words.length;
export const latinWords: readonly string[] = words.filter((word) => /^[a-z]+$/.test(word));
/** What the ruleset's digest covers of this file. */
export const lexicon = { english, others };

/** The word with this hash, or 0. */
export const wordOf = (hash: number): number => table.get(hash);

export const isKnown = (word: string): boolean => wordOf(hashOf(word)) !== 0;

export type ClassSet = { low: number; high: number; top: number };

/** Whether word w is in one of the classes. */
export const isWordIn = (word: number, set: ClassSet): boolean =>
  (((classLow[word] ?? 0) & set.low) | ((classHigh[word] ?? 0) & set.high) | ((classTop[word] ?? 0) & set.top)) !== 0;

export function classSet(names: readonly string[]): ClassSet {
  const set = { low: 0, high: 0, top: 0 };
  for (const name of names) {
    const index = classes.indexOf(name);
    if (index < 0) throw new Error(`No such class of words: ${name}`);
    if (index < 32) set.low |= 1 << index;
    else if (index < 64) set.high |= 1 << (index - 32);
    else set.top |= 1 << (index - 64);
  }
  return set;
}

/** The longest word of a script without spaces that starts at `at`. */
export function literalAt(text: string, at: number): { text: string; word: number } | undefined {
  const candidates = literals.get(text.charCodeAt(at));
  if (!candidates) return undefined;
  for (const candidate of candidates) if (text.startsWith(candidate.text, at)) return candidate;
  return undefined;
}

function enlist(word: string, index: number, isForeign: boolean): void {
  let id = ids.get(word);
  if (id === undefined) {
    id = words.push(word) - 1;
    ids.set(word, id);
    low.push(0);
    high.push(0);
    top.push(0);
    if (standsAlone(word.charCodeAt(0))) enlistLiteral(word, id);
    // A word that is English too says nothing about the language.
    if (isForeign) add(id, foreignClass);
  }
  add(id, index);
}

function enlistLiteral(text: string, word: number): void {
  const first = text.charCodeAt(0);
  const list = literals.get(first) ?? [];
  list.push({ text, word });
  list.sort((a, b) => b.text.length - a.text.length);
  literals.set(first, list);
}

function add(id: number, index: number): void {
  if (index < 32) low[id] = (low[id] ?? 0) | (1 << index);
  else if (index < 64) high[id] = (high[id] ?? 0) | (1 << (index - 32));
  else top[id] = (top[id] ?? 0) | (1 << (index - 64));
}
