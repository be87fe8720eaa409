export { keyPatterns, markedKeys, wordPatterns } from "./vendors.ts";

/** A name that ends like this, with a value after it, names a secret. */
export const secretNames =
  /(?:passw(?:or)?d|passwort|pwd|passphrase|secret|token|apikey|accesskey|secretkey|privatekey|signingkey|credentials?|authkey|appkey|accountkey|clientsecret|presharedkey|sharedkey|subscriptionkey|integrationkey|routingkey|ingestkey|ingestionkey|storagekey|auth|pat|mnemonic|skey|accessid|accesskeyid|(?:^|db|user|become|smtp|mail)pass)\d?$/;
/** Qualifiers that make a plain "key" or "id" the name of a secret. */
export const keyQualifiers =
  /(?:api|access|secret|private|auth|preshared|shared|subscription|integration|routing|ingest|ingestion|storage|account|client|encryption|signing|app|consumer|master|license|deploy|admin|service|write|master|hubspot|heroku|snyk|sonar|login)$/;
/** Words that make a "token" one of a page, a form or a count. As endings only, they are parts of vendors' names. */
export const publicNames =
  /^(?:(?:next|previous|prev|last|first|page|sync|list|search|query|max|min|total)?(?:prompt|completion|input|output|next|page|pagination|cursor|continuation|start|starting|end|previous|prev|resume|sync|delta|skip|scroll|bookmark|cancel|public|web|reset|max|min|num|count|total|each|per|of)|[cx]srf\w*|authenticity)$/;
/** Words before "token" that make it one that lets in. Any other token may be a coin, whose address is public. */
export const tokenQualifiers =
  /(?:api|access|auth|bearer|bot|client|deploy|personal|refresh|service|session|webhook|admin|user|id|login|secret)$/;

/** Qualifiers of a plain "key" that names no secret. Any other one may be a vendor's name. */
export const ordinaryKeys =
  /(?:^|[a-z])(?:public|publishable|anon|site|primary|foreign|cache|sort|partition|object|bucket|route|map|ssh|gpg|pgp|host|idempotency|locale|row|index|query|state|storage|hash|group|data|composite|unique|lookup|registry|menu|hot|short|message|event|item|node|react|list|dedupe|tracking|session|image|file|translation|i18n|commit|build|version|request|trace|span|order|product|user|license|feature)$|^(?:the|a|an|this|that|any|each|by|of|to|one|new|old|my|your|no)$/;

export const placeholders =
  /x{4}|\*{3}|\.{3}|0{8}|1{8}|your|example|placeholder|changeme|change_me|redacted|insert|replace|dummy|sample|here$|^<|^\$|^\{|^%|^\[|process\.env|environ|getenv|secrets?\.|^test|123456|abcdef|null|undefined|true|false|none|put_/i;

/** How the phrases of standards and development tools begin. They are hidden, but move nobody's money. */
export const publishedPhrases =
  /^(?:(?:abandon|zoo|test)(?:\W+(?:abandon|zoo|test)){2}|legal\W+winner\W+thank|letter\W+advice\W+cage|candy\W+maple\W+cake|myth\W+like\W+bonus|ozone\W+drill\W+grab|gravity\W+machine\W+north|hamster\W+diagram\W+private|scheme\W+spot\W+photo|panda\W+eyebrow\W+bullet|cat\W+swing\W+flag|light\W+rule\W+cinnamon|all\W+hour\W+make|vessel\W+ladder\W+alter|void\W+come\W+effort)\b/i;

/** What documentation writes in place of a key. */
export const sampleWords =
  /example|sample|placeholder|your[-_]?|redacted|change[-_]?me|dummy|fake|insert|replace|goes[-_]?here|not[-_]?real/i;
/** Passwords of documentation and of development. */
export const samplePasswords =
  /^(?:(?:my|db|user|the|a|some)?[-_]?p[a@4]ss(?:w[o0]rd|phrase)?\d{0,4}|pwd|pw|secret|admin|root|postgres|mysql|redis|rabbit(?:mq)?|guest|test\w{0,6}|foo|bar|baz|user(?:name)?|token|key|hunter2|qwerty|letmein|1234\d*|\$.*|[[{<(].*|.*[\]})>]|%.*%|:.*)$/i;

/** Labels before a 64-digit number that make it a wallet's key. */
export const walletKeyLabels =
  /private|privkey|privatekey|signer|deployer|wallet|seed|mnemonic|\bpk$|\bsk$|\bpriv$|importkey/;
/** The same labels, and "secret", which applications use for their secrets too. */
export const privateKeyLabels = new RegExp(`${walletKeyLabels.source}|secret`);
/** Words before "key" that make it an account's: ETH_KEY. */
export const accountWords =
  /^(?:eth|ethereum|evm|base|polygon|arbitrum|optimism|bsc|solana|sol|btc|bitcoin|account|owner|treasury|operator|relayer|minter|faucet|funder|hot|import|sign|signing|export|sweep|spending)$/;
/** Words directly before the number. */
export const signingWords = /^(?:with|using|by)$/;
/** Words after "key" that do not change what it is: "private key value". */
export const formWords = /^(?:value|data|input|code|init)$/;
/** Labels for a private key in other languages, with a word or two before the number. */
export const foreignKeyLabels =
  /(?:(?:clave|llave|chave) (?:privada|secreta)|cl[eé] (?:priv[eé]e|secr[eè]te)|chiave (?:privata|segreta)|privater? schl[uü]ssel|(?:приватн|закрыт|секретн)[а-яё]{0,4} ключ[а-яё]{0,3}|私[钥鑰]|秘密(?:鍵|キー)|개인 ?키|비밀 ?키|[oö]zel anahtar|gizli anahtar)[^\d.!?\n]{0,16}["'(\s]*$/u;

/** Nouns after the number: "is my private key". */
export const keyNouns = /^(?:private|privkey|privatekey|secret|seed|secretkey)$/;
/** Labels of public numbers. They win when they are nearer. */
export const publicHexLabels =
  /^(?:tx|txn|txs|hash|txhash|transaction|sha|sha256|sha3|keccak|digest|commit|nonce|block|root|salt|id|topic|topics|data|calldata|input|selector|mandate|mandatehash|integrity|public|pubkey|checksum|state|storage|slot|proof|merkle|order|message|msg|domain|fingerprint|address|requestid|value|code|bytecode|signature|event|init|ref|key_id)$|hash$/;

/** Claims of signed tokens, as in their decoded text, that authenticate or pay for the holder. */
export const bearerClaims =
  /"(?:sub|aud|jti|sid|scopes?|scp|roles?|permissions|groups|client_id|azp|act|cnf|nonce|email|username|session\w*|user_?id|agent_?id|vc|vp|token_use|mandate\w*|authorization|signature|from|payer)"\s*:/i;
export const registeredClaims = /"(?:exp|iat|nbf|iss)"\s*:/;
/** Terms that a seller signs: the recipient, or what is sold. A price alone may be a session's. */
export const offerTerms = /"(?:pay_?to|accepts|max_?amount_?required)"\s*:/i;
export const priceTerms = /"(?:amount|price|asset)"\s*:/i;
/** Types in the header of tokens that are published and not presented. */
export const publishedTypes = /"typ"\s*:\s*"[^"]*\b(?:offer|receipt|quote|invoice)\b/i;
