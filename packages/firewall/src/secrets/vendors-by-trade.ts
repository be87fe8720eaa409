/** Vendors' keys and addresses by trade, in the form of `vendors.ts`. Data only. */
const uuid = "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}";

const models: readonly string[] = [
  "sess-[A-Za-z0-9]{40}(?![A-Za-z0-9])",
  "ak-(?=[A-Za-z]{0,21}\\d)[A-Za-z0-9]{22}(?![\\w-])",
  "esecret_[a-z0-9]{26}(?![a-z0-9])",
  "secret_\\w{1,24}_[a-f0-9]{32}\\.[A-Za-z0-9]{32}",
  "bt-st-[A-Za-z0-9]{48}(?![A-Za-z0-9])",
  "hl_sk_[a-f0-9]{48}(?![a-f0-9])",
  "pl_[a-f0-9]{32}(?![a-f0-9])",
  "signkey-(?:prod|test|branch)-[a-f0-9]{64}(?![a-f0-9])",
  "AQ\\.Ab[\\w-]{40,60}(?![\\w-])",
  "flp_[A-Za-z0-9]{46}(?![A-Za-z0-9])",
  "pylf_v\\d_[a-z]{2}_[A-Za-z0-9]{40,50}(?![A-Za-z0-9])",
  "unkey_[A-Za-z0-9]{20,30}(?![A-Za-z0-9])",
  "kagi_[\\w-]{40,50}(?![\\w-])",
  "cr-[a-f0-9]{58}(?![a-f0-9])",
];

const deployment: readonly string[] = [
  "EXO[a-f0-9]{24,28}(?![a-f0-9])",
  "akab-[a-z0-9]{16}-[a-z0-9]{16}(?![a-z0-9])",
  "nf-[a-f0-9]{40}(?![a-f0-9])",
  "vtwn_[A-Za-z0-9]{28}(?![A-Za-z0-9])",
  "sbp_(?:v0|oauth)_[a-f0-9]{40}(?![a-f0-9])",
  `st\\.${uuid}\\.[a-f0-9]{32}\\.[a-f0-9]{32}`,
  "K10[a-f0-9]{64}::\\w{1,20}:[a-f0-9]{32}",
  "token-[a-z0-9]{5}:[a-z0-9]{54}(?![a-z0-9])",
  "SWMTKN-\\d-[a-z0-9]{50}-[a-z0-9]{25}(?![a-z0-9])",
  "BUNDLE_[A-Z0-9_]{2,60}\\s?[:=]\\s?[\"']?[\\w.%-]{3,60}:[\\w.%-]{6,100}",
  "depot_(?:project|org|user)_[a-f0-9]{64}(?![a-f0-9])",
  "mergify_application_key_[\\w-]{40,80}",
  "wrk(?:aus|eu|us|sg|au|jp)-[\\w-]{60}(?![\\w-])",
  "tr_(?:prod|dev|stg|preview|pat)_[A-Za-z0-9]{20,44}(?![A-Za-z0-9])",
  "kpat_[A-Za-z0-9]{48}(?![A-Za-z0-9])",
  "spat_[A-Za-z0-9]{48}(?![A-Za-z0-9])",
  `ovsxp_${uuid}`,
  "PMAT-[A-Z0-9]{26}(?![A-Z0-9])",
  "sktsec_[\\w-]{40,50}_api",
  "AIK_CI_[A-Za-z0-9]{40}(?![A-Za-z0-9])",
  "hawk\\.[A-Za-z0-9]{20}\\.[A-Za-z0-9]{20}(?![A-Za-z0-9])",
  "perm[:-][A-Za-z0-9+/=]{4,60}\\.[A-Za-z0-9+/=]{4,60}\\.[A-Za-z0-9]{30,60}",
  "chpt_[a-f0-9]{12,20}(?![a-f0-9])",
  `waka_${uuid}`,
];

const data: readonly string[] = [
  "cflt[A-Za-z0-9+/]{60}(?![A-Za-z0-9+/])",
  "npg_(?=[A-Za-z]{0,11}\\d)[A-Za-z0-9]{12}(?![A-Za-z0-9])",
  "prod:[a-z]{2,20}-[a-z]{2,20}-\\d{1,4}\\|[A-Za-z0-9+/=]{50,200}",
  "mb_[A-Za-z0-9+/]{43,44}=(?![A-Za-z0-9+/=])",
  "hxt[pw]_[a-f0-9]{96}(?![a-f0-9])",
  "lin_wh_[A-Za-z0-9]{32,48}(?![A-Za-z0-9])",
  "sl\\.u\\.[\\w-]{100,300}(?![\\w-])",
  "ck_[a-f0-9]{40}(?![a-f0-9])",
  "cs_[a-f0-9]{40}(?![a-f0-9])",
  "key(?=[A-Za-z]{0,13}\\d)(?=[a-z\\d]{0,13}[A-Z])[A-Za-z0-9]{14}(?![\\w-])",
];

const design: readonly string[] = [
  "ix_[a-f0-9]{40}(?![a-f0-9])",
  "private_[A-Za-z0-9+/]{27}=(?![A-Za-z0-9+/=])",
  "fr_[A-Za-z0-9]{40}(?![A-Za-z0-9])",
];

const monitoring: readonly string[] = [
  "dd(?:app|pat)_[A-Za-z0-9]{34,44}(?![A-Za-z0-9])",
  "dt0[a-z]\\d{2}\\.[A-Z0-9]{8}\\.[A-Z0-9]{64}",
  "eyJrIjoi[A-Za-z0-9+/=]{60,120}",
  "csu_[a-f0-9]{32}(?![a-f0-9])",
  "configcat-sdk-\\d/[\\w-]{22}/[\\w-]{22}(?![\\w-])",
  "default:[a-z]{3,20}\\.[a-f0-9]{56}(?![a-f0-9])",
  "secret_(?:admin|readonly|user)_[A-Za-z0-9+/]{40,48}",
  "dvc_(?:server|client|mobile)_\\w{20,40}",
  "na1\\.[A-Za-z0-9+/]{60,120}",
  "inc_(?:live_)?(?:[a-f0-9]{64}|[A-Za-z0-9]{40})(?![A-Za-z0-9])",
  "rootly_[a-f0-9]{64}(?![a-f0-9])",
  "fhb-[a-f0-9]{32}(?![a-f0-9])",
];

const messaging: readonly string[] = [
  "api-(?=[A-Z]{0,31}\\d)[A-Z0-9]{32}(?![A-Z0-9])",
  "KEY01[A-Z0-9]{30}_[A-Za-z0-9]{22}(?![A-Za-z0-9])",
  "sec-c-[A-Za-z0-9+/=]{46,52}",
  "act\\.[A-Za-z0-9]{50,70}![A-Za-z0-9]{4}\\.[a-z]\\d",
  "AAAA[\\w-]{7}:APA91b[\\w-]{130,150}",
  "dk_(?:prod|test)_[A-Z0-9]{28}(?![A-Z0-9])",
  "atk_[A-Za-z0-9]{32}(?![A-Za-z0-9])",
  "aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])",
  "testsk_[\\w-]{32}\\.[a-z]{2}(?![a-z])",
  "sk_[A-Za-z0-9]{32}\\.(?:eu|us|in|ca|au)(?![a-z])",
];

const networks: readonly string[] = [
  "trojan://[^\\s@/:]{12,80}@",
  "hysteria2://[^\\s@/:]{12,80}@",
  "SU[A-Z2-7]{56}(?![A-Z2-7])",
  "jca_[A-Za-z0-9]{36}(?![A-Za-z0-9])",
  "at_[A-Za-z0-9]{10}_s1[A-Za-z0-9]{60,300}",
];

const payments: readonly string[] = [
  "sk_[a-z0-9]{26}[a-z0-9*:#$=](?![\\w-])",
  `sk_${uuid}`,
  "ramp_sec_[A-Za-z0-9]{40,60}(?![A-Za-z0-9])",
  "bxt_[A-Za-z0-9]{36,60}(?![A-Za-z0-9])",
  "mainnet[A-Za-z0-9]{32}(?![A-Za-z0-9])",
  "sk_dev_[\\w-]{60,70}(?![\\w-])",
  "secret_(?:live|test)_[A-Za-z0-9]{8}\\.[A-Za-z0-9]{32}",
  "PLAK[a-f0-9]{32}(?![a-f0-9])",
  "core\\.chainstack\\.com/[a-f0-9]{32}(?![a-f0-9])",
];

/** Addresses that are secrets: who has one can post to it, start a deployment or read a calendar. */
const addresses: readonly string[] = [
  "hooks\\.slack-gov\\.com/services/[A-Z0-9]{8,14}/[A-Z0-9]{8,14}/[A-Za-z0-9]{20,30}",
  "hooks/(?<=://[\\w.-]{4,60}/hooks/)[a-z0-9]{26}(?![a-z0-9])",
  "hooks/(?<=://[\\w.-]{4,60}/hooks/)[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,70}",
  "api\\.netlify\\.com/build_hooks/[a-f0-9]{24}(?![a-f0-9])",
  "api\\.vercel\\.com/v1/integrations/deploy/(?:prj_)?[A-Za-z0-9]{24,32}/[A-Za-z0-9]{10}",
  `api\\.cloudflare\\.com/client/v4/pages/webhooks/deploy_hooks/${uuid}`,
  "api\\.render\\.com/deploy/srv-[a-z0-9]{20}\\?key=[\\w-]{11}",
  `alert\\.victorops\\.com/integrations/generic/\\d{8}/alert/${uuid}`,
  `app\\.n8n\\.cloud/webhook/${uuid}`,
  "hooks\\.airtable\\.com/workflows/v1/genericWebhook/app[A-Za-z0-9]{14}/wfl[A-Za-z0-9]{14}/wtr[A-Za-z0-9]{14}",
  `hooks\\.clickup\\.com/hook/${uuid}`,
  "tines\\.(?:com|io)/webhook/[a-f0-9]{32}/[a-f0-9]{32}",
  `webhooks\\.workato\\.com/webhooks/rest/${uuid}`,
  "webexapis\\.com/v1/webhooks/incoming/[\\w-]{60,100}",
  `api\\.flock\\.com/hooks/sendMessage/${uuid}`,
  `media\\.guilded\\.gg/webhooks/${uuid}/[\\w-]{80,90}`,
  `hub\\.docker\\.com/api/build/v1/source/${uuid}/trigger/${uuid}`,
  `hc-ping\\.com/(?:${uuid}|[\\w-]{22}/)`,
  "cronitor\\.link/p/[a-f0-9]{32}",
  "nosnch\\.in/[a-f0-9]{10}(?![a-f0-9])",
  "uptime\\.betterstack\\.com/api/v1/heartbeat/[A-Za-z0-9]{24}",
  "oncall[\\w-]{0,40}\\.grafana\\.net/oncall/integrations/v1/\\w{2,30}/[A-Za-z0-9]{20,30}",
  "api\\.squadcast\\.com/v2/incidents/\\w{2,20}/[a-f0-9]{40}",
  "http-intake\\.logs\\.datadoghq\\.(?:com|eu)/v1/input/[a-f0-9]{32}",
  "collection\\.(?:\\w{2,3}\\.)?sumologic\\.com/receiver/v1/http/[\\w=-]{60,120}",
  `loggly\\.com/inputs/${uuid}`,
  "bot(?<=api\\.telegram\\.org/bot)[0-9]{8,11}:A[\\w-]{34,35}",
  "private-(?<=/ical/[\\w%.@-]{3,80}/private-)[a-f0-9]{32}(?![a-f0-9])",
];

export const latestKeyPatterns: readonly string[] = [
  ...models,
  ...deployment,
  ...data,
  ...design,
  ...monitoring,
  ...messaging,
  ...networks,
  ...payments,
  ...addresses,
];
