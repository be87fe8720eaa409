/**
 * Texts of `length` units designed to be slow to scan: near matches of everything that the scanner looks for, and many
 * secrets.
 */
export function hostileTexts(length: number): Record<string, string> {
  // Through JSON, as in requests: engines keep a repeated string as a rope, which is slower to read.
  const filled = (unit: string) =>
    JSON.parse(JSON.stringify(unit.repeat(Math.ceil(length / unit.length)).slice(0, length))) as string;
  return {
    "plain words": filled("the quick brown fox jumps over a lazy dog and then it sleeps until morning. "),
    triggers: filled("ignore your secret system password all "),
    "one letter": filled("a"),
    spaces: filled(" "),
    "single letters": filled("i g n o r e "),
    base64: filled("SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnMu"),
    "base64 pieces": filled("SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnMu "),
    escapes: filled("&#73;%49=49\\x49"),
    "sparse escapes": filled(`${"plain words of a page ".repeat(20)}&#73;&#103;&#110;`),
    "signed letters": filled("\\i\\g\\n\\o\\r\\e\\ "),
    "other languages": filled("instrukcjami anweisungszettel посмотрите указаниями talimatname "),
    misspellings: filled("ignroe instuctions previuos systme "),
    "key prefixes": filled("sk-ant-eyJ-xoxb-ghp_"),
    tokens: filled("eyJ-"),
    seeds: filled("abandon ability able about above absent absorb abstract absurd abuse access accident "),
    "parted seeds": filled("abandon ability, able. about: above\n1. absent 2. absorb - abstract "),
    "keys in hex": filled(`the key 0x${"4c0883a69102937d".repeat(4)} is as `),
    "signed tokens": filled(`${btoa('{"alg":"ES256"}')}.${btoa('{"amount":"5","exp":1}')}.c2ln `),
    addresses: filled("://a:"),
    links: filled("](http://a?"),
    brackets: filled("[[[[<!--"),
    digits: filled("73 103 110 "),
    leet: filled("1gn0r3 pr3v10us "),
    glued: filled("ignoreallpreviousinstructions"),
    "other alphabets": filled("аll рrеvіоus 以前の指示を "),
    "unseen characters": filled("a\u200bb\u{e0041}\u0301"),
    disguises: filled(
      "erongi suoiverp vtaber cerivbhf gnoreiay reviouspay 1gn0r3 pr3v10us i g n o r e a l l SWdub3JlIGFsbCBwcmV2aW91cw== &#73;&#103;&#110; ",
    ),
    names: filled("password=a key:b token is c "),
    passwords: filled("password=Xk7qPz2vLm9w "),
    "private keys": filled(`private key ${HEX} `),
    "hex keys": filled(`key ${HEX} `),
    signatures: filled(`signature 0x${HEX}${HEX_TOO}1b `),
    "login tokens": filled(`${JWT} `),
    "recovery phrases": filled(`${"abandon ".repeat(11)}about\n`),
    morse: filled("... --- .-. "),
    "words of orders": filled('ai"tell"user:your"reply"must '),
    "orders to machines": filled("to the assistant: if an agent must. Please now delete it; for bots only: "),
  };
}

const HEX = "8f383ccddc6f17eb57a96c711523e4a8072d8e791b4a773ea0153e0d993d03e1";
const HEX_TOO = "a4b992ab42964e5b7112ad2609ec66bcec05b99340bbb063ec00a52af5ea9d3d";
/** A JSON Web Token with an invalid signature. */
const JWT = ['{"alg":"HS256","typ":"JWT"}', '{"sub":"agent","iat":1516239022}', "signed by nobody at all ...."]
  .map((part) => Buffer.from(part).toString("base64url"))
  .join(".");
