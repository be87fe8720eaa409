import { latestKeyPatterns } from "./vendors-by-trade.ts";

/** Further vendors' keys, in the form of `vendors.ts`. Data only. */
const models: readonly string[] = [
  "sk-(?:helicone|let)-[\\w=-]{24,120}",
  "pa-(?=[\\w-]{0,42}\\d)(?=[\\w-]{0,42}[A-Z])[\\w-]{43}(?![\\w-])",
  "llx-[A-Za-z0-9]{48}(?![A-Za-z0-9])",
  "BSA[\\w-]{27,29}(?![\\w-])",
  "bb_(?:live|test)_[\\w-]{20,40}(?![\\w-])",
  "ls__[a-f0-9]{32}(?![a-f0-9])",
  "wandb_v1_[A-Za-z0-9_]{60,90}(?![A-Za-z0-9_])",
  "m0-[A-Za-z0-9]{40}(?![A-Za-z0-9])",
  "crsr_[a-f0-9]{64}(?![a-f0-9])",
  "key_[a-f0-9]{64}(?![a-f0-9])",
  "as-(?=[A-Za-z]{0,21}\\d)[A-Za-z0-9]{22}(?![\\w-])",
];

const clouds: readonly string[] = [
  "K00\\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])",
  "ucat_[A-Z0-9]{26}(?![A-Z0-9])",
  "HRKU-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  "cf(?:k|ut|at)_[A-Za-z0-9]{40,56}(?![A-Za-z0-9])",
  "sat\\.[\\w-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}",
  "st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}",
  "glrtr-[\\w-]{20,64}(?![\\w-])",
  "retool_01[a-z0-9]{24,40}(?![a-z0-9])",
  "n8n_api_[a-f0-9]{80}(?![a-f0-9])",
  "zpka_[a-f0-9]{32}_[a-f0-9]{8}",
];

const data: readonly string[] = [
  "AstraCS:[A-Za-z0-9]{24}:[a-f0-9]{64}",
  "CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}",
  "mdb_sa_sk_[\\w-]{40}(?![\\w-])",
  "fnA[A-Za-z0-9_-]{37,41}(?![\\w-])",
  "sgp_[A-Za-z0-9]{64}(?![A-Za-z0-9])",
  "sk[A-Za-z0-9]{120,190}(?![A-Za-z0-9])",
  "api_[A-Za-z0-9]{20,24}\\.[A-Za-z0-9]{20,24}(?![A-Za-z0-9])",
  "cal_(?:live_)?[a-f0-9]{32}(?![a-f0-9])",
  "polar_(?:oat|pat|rt|cs|whs)_[A-Za-z0-9]{32,60}(?![A-Za-z0-9])",
];

const monitoring: readonly string[] = [
  "GenieKey [a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  "Splunk [A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}",
  "secret-[A-Za-z0-9]{43,50}(?![A-Za-z0-9])",
  "ser\\.[A-Za-z0-9]{22}(?![A-Za-z0-9])",
  "sts_[a-f0-9]{32}(?![a-f0-9])",
];

const mail: readonly string[] = [
  "kit_[a-f0-9]{32}(?![a-f0-9])",
  "md-(?=[\\w-]{0,21}\\d)(?=[\\w-]{0,21}[A-Z])[\\w-]{22}(?![\\w-])",
  "1000\\.[a-f0-9]{32}\\.[a-f0-9]{32}(?![a-f0-9])",
];

const messaging: readonly string[] = [
  "xoxc-\\d{1,16}-[A-Za-z0-9-]{14,260}",
  "xoxd-[A-Za-z0-9%+/=]{80,400}",
  "xwfp-[A-Za-z0-9-]{40,260}",
  "mfa\\.[\\w-]{84}(?![\\w-])",
  "pk_(?:prod|test)_[A-Z0-9]{28}(?![A-Z0-9])",
  "os_v2_(?:app|org)_[a-z2-7]{80,130}(?![a-z0-9])",
  "tk_[a-z0-9]{29}(?![a-z0-9])",
  "syt_[A-Za-z0-9=+/]{2,120}_[A-Za-z]{20}_[A-Za-z0-9]{6}(?![A-Za-z0-9])",
  "WPL_AP\\d\\.[A-Za-z0-9]{16}\\.[A-Za-z0-9+/=]{8}",
  "oauth:[a-z0-9]{30}(?![a-z0-9])",
];

const networks: readonly string[] = [
  "hskey-(?:auth|api)-[\\w-]{12}-[\\w-]{64}(?![\\w-])",
  "ss://[A-Za-z0-9+/=_-]{20,200}@",
  "vmess://eyJ[A-Za-z0-9+/=]{60,900}",
  "vless://[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}@",
];

const payments: readonly string[] = [
  "AQE[A-Za-z0-9]{1,3}hmfx[\\w+/=.-]{60,300}",
  "sk_sbox_[a-z0-9]{26}[a-z0-9*:#$=]",
  "sk_[A-Za-z0-9]{28}(?![A-Za-z0-9])",
  "secret-token:[A-Za-z0-9_:.~-]{16,200}(?![\\w-])",
  "persona_(?:production|sandbox)_[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  "RGAPI-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  "quiknode\\.pro/[a-f0-9]{40}(?![a-f0-9])",
  "ankr\\.com/[\\w/]{2,40}/[a-f0-9]{64}(?![a-f0-9])",
];

export const moreKeyPatterns: readonly string[] = [
  ...models,
  ...clouds,
  ...data,
  ...monitoring,
  ...mail,
  ...messaging,
  ...networks,
  ...payments,
  ...latestKeyPatterns,
];
