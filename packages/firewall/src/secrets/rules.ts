/**
 * Keys that are recognised by their first characters. Patterns are matched at the start of a word. Repetitions are
 * bounded or end with the word, so that no pattern is quadratic in the length of the text.
 */
export const keyPatterns: readonly string[] = [
  "sk-ant-(?:api|admin)\\d\\d-[\\w-]{80,140}",
  "sk-(?:proj|svcacct|admin|or-v1|lf)-[\\w-]{20,200}",
  "sk-[A-Za-z0-9]{20,64}",
  "sk_(?:live|test|prod)_[A-Za-z0-9]{10,120}",
  "rk_(?:live|test|prod)_[A-Za-z0-9]{10,120}",
  "whsec_[A-Za-z0-9+/=]{24,64}",
  "AKIA[A-Z2-7]{16}",
  "ASIA[A-Z2-7]{16}",
  "ABIA[A-Z2-7]{16}",
  "ACCA[A-Z2-7]{16}",
  "ABSK[A-Za-z0-9+/]{109,260}={0,2}",
  "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t",
  "gh[pousr]_[A-Za-z0-9]{36,255}",
  "github_pat_[A-Za-z0-9_]{60,90}",
  "gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas|ffct)-[\\w-]{20,64}(?:\\.[\\w]{2,16}){0,2}",
  "GR1348941[\\w-]{20}",
  "xox[abeoprs](?:\\.xox[bp])?-\\d{1,16}-[A-Za-z0-9-]{14,260}",
  "xapp-\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-z0-9]{32,80}",
  "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,90}",
  "discord(?:app)?\\.com/api/webhooks/\\d{10,24}/[\\w-]{40,90}",
  "AIza[\\w-]{35}(?![\\w-])",
  "ya29\\.[\\w-]{20,260}",
  "GOCSPX-[\\w-]{28}",
  "SG\\.[\\w-]{16,32}\\.[\\w-]{30,66}",
  "npm_[A-Za-z0-9]{36}",
  "pypi-AgEIcHlwaS5vcmc[\\w-]{50,260}",
  "rubygems_[a-f0-9]{48}",
  "hf_[A-Za-z]{34}(?![A-Za-z])",
  "api_org_[A-Za-z]{34}(?![A-Za-z])",
  "do[opr]_v1_[a-f0-9]{64}",
  "ops_eyJ[A-Za-z0-9+/]{60,900}={0,3}",
  "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  "AKCp[A-Za-z0-9]{69}",
  "ATATT3[\\w=-]{180,200}",
  "dapi[a-f0-9]{32}(?:-\\d)?(?![a-z0-9])",
  "EAA[MC][A-Za-z0-9]{100,260}",
  "fo1_[\\w-]{43}",
  "fm[12][ar]?_[A-Za-z0-9+/]{100,400}={0,3}",
  "glc_[A-Za-z0-9+/]{32,400}={0,3}",
  "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}",
  "hv[sb]\\.[\\w-]{24,300}",
  "HRKU-AA[\\w-]{58}",
  "ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])",
  "s-s4t2(?:ud|af)-[a-f0-9]{64}",
  "ntn_\\d{11}[A-Za-z0-9]{35}",
  "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])",
  "API-[A-Z0-9]{26}(?![A-Z0-9])",
  "sha256~[\\w-]{43}(?![\\w-])",
  "pplx-[A-Za-z0-9]{48}",
  "pnu_[A-Za-z0-9]{36}",
  "pul-[a-f0-9]{40}",
  "rdme_[a-z0-9]{70}",
  "tk-us-[\\w-]{48}",
  "sntry[su]_[A-Za-z0-9+/=_-]{50,300}",
  "sgp_(?:[A-Fa-f0-9]{16}_|local_)?[A-Fa-f0-9]{40}(?![A-Fa-f0-9])",
  "sq0(?:atp|csp|idp)-[\\w-]{22,43}",
  "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
  "lin_api_[A-Za-z0-9]{40}",
  "gsk_[A-Za-z0-9]{52}",
  "xai-[A-Za-z0-9]{80}",
  "r8_[A-Za-z0-9]{37}",
  "key-[a-f0-9]{32}",
  "SK[a-f0-9]{32}(?![a-f0-9])",
  "vercel_[A-Za-z0-9]{24}",
  "sbp_[a-f0-9]{40}",
  "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
  "NRAK-[A-Z0-9]{27}",
  "EZ[AT]K[A-Za-z0-9]{54}(?![A-Za-z0-9])",
  "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9.]{40,60}",
  "ak_(?:live|test)_[A-Za-z0-9]{20,64}",
  "4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])",
  "xprv[A-Za-z0-9]{100,120}",
  "tok_[A-Za-z0-9_-]{24,80}",
  "v3/(?<=\\binfura\\.io/(?:ws/)?v3/)[a-f0-9]{32}(?![a-f0-9])",
  "v2/(?<=\\balchemy(?:api)?\\.(?:com|io)/v2/)[\\w-]{32}(?![\\w-])",
];

/**
 * Keys that are recognised by what follows their first word: the lengths of that word, and the pattern of the whole.
 */
export const wordPatterns: readonly (readonly [lengths: readonly number[], pattern: string])[] = [
  [[8, 9, 10, 11], "\\d{8,11}:A[A-Za-z][\\w-]{33,34}(?![\\w-])"],
  [[14], "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,70}"],
  [[32], "[a-f0-9]{32}-us\\d{1,2}(?!\\d)"],
];

/** A name that ends like this, with a value after it, names a secret. */
export const secretNames =
  /(?:passw(?:or)?d|passwort|pwd|passphrase|secret|token|apikey|accesskey|secretkey|privatekey|signingkey|credentials?|authkey|appkey|accountkey|clientsecret|auth|pat|mnemonic)\d?$/;
/** Qualifiers that make a plain "key" or "id" the name of a secret. */
export const keyQualifiers =
  /(?:api|access|secret|private|auth|account|client|encryption|signing|app|consumer|master|license|deploy|admin|service|write|master|hubspot|heroku|snyk|sonar|login)$/;
/** Names that end like a secret's and name none. */
export const publicNames =
  /(?:max|min|num|count|total|prompt|completion|input|output|next|page|cancel|continuation|csrf|public|web|reset|each|per|of)$/;

export const placeholders =
  /x{4}|\*{3}|\.{3}|0{8}|1{8}|your|example|placeholder|changeme|change_me|redacted|insert|replace|dummy|sample|here$|^<|^\$|^\{|^%|^\[|process\.env|environ|getenv|secrets?\.|^test|123456|abcdef|null|undefined|true|false|none|put_/i;

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
