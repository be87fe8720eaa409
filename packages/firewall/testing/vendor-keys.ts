/** Made-up keys in the forms that vendors publish, written from their documentation and not from the patterns. */
const [lower, upper, digit] = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"];
const alphabets: Readonly<Record<string, string>> = {
  lower: lower + digit,
  upper: upper + digit,
  digit,
  nonzero: "123456789",
  letter: lower + upper,
  hex: `${digit}abcdef`,
  any: lower + upper + digit,
  base32: `${lower}234567`,
  base64: `${lower}${upper}${digit}+/`,
  url: `${lower}${upper}${digit}-_`,
};
let state = 77;
const draw = (name: string, length: number): string => {
  const alphabet = alphabets[name];
  if (alphabet === undefined) throw new Error(`No such characters: ${name}`);
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return alphabet.charAt((state >>> 8) % alphabet.length);
  }).join("");
};

/** `<hex:64>` is replaced by 64 such characters, `<uuid>` by a UUID. */
const filled = (form: string): string =>
  form
    .replaceAll("<uuid>", "<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>")
    .replace(/<(\w+):(\d+)>/g, (_, name: string, length: string) => draw(name, Number(length)));
const words = (list: string): readonly string[] => list.trim().split(/\s+/);
const formed = (forms: readonly string[]) => forms.map((form) => [form, filled(form)] as const);

export const vendorKeys = formed([
  ...words(`
  sk-helicone-q4mz7ta-w2kd9xe-b5nv3rc-h8yj6lp AstraCS:<any:24>:<hex:64> CCDB1_<any:22>_<any:40> mdb_sa_sk_<url:40>
  fnA<url:37> sgp_<any:64> sk<any:178> napi_<lower:64> rediss://default:<any:52>@eu1-sure-fox.upstash.io:6379
  polar_oat_<any:43> cal_live_<hex:32> K005<base64:27> ucat_<upper:26> HRKU-<uuid> sat.<url:22>.<hex:24>.<any:20>
  st.<hex:24>.<hex:32>.<hex:32> retool_01<lower:26> n8n_api_<hex:80> zpka_<hex:32>_<hex:8> glrtr-<url:26>
  gldt-<url:20> dop_v1_<hex:64> rnd_<any:28> nfp_<any:36> pul-<hex:40> pa-7<url:30>A9x<url:9> llx-<any:48> BSA<any:28>
  bb_live_<any:27> wandb_v1_<any:77> m0-<any:40> key_<hex:64> figd_<url:40> cnvca<url:51> fio-u-<url:64>
  ntn_<digit:11><any:35> CFPAT-<url:43> cloudinary://<digit:15>:<any:27>@acme glsa_<any:32>_<hex:8> sntryu_<hex:64>
  sts_<hex:32> secret-<any:43> DD_API_KEY=<hex:32> PAGERDUTY_TOKEN=u+<any:18> NRAK-<upper:27> kit_<hex:32>
  md-7Q<any:20> 1000.<hex:32>.<hex:32> <hex:32>-<hex:8>-<hex:8> <hex:32>-us21 SPARKPOST_API_KEY=<hex:40>
  xoxc-<digit:12>-<digit:12>-<hex:64> xoxd-<base64:120> xwfp-1-<hex:40> mfa.<url:84> pk_prod_<upper:28>
  os_v2_app_<base32:103> tk_<lower:29> syt_YWxpY2U_<letter:20>_<any:6> oauth:<lower:30> <any:6>.<any:6>:<url:43>
  <hex:16>-<hex:16>-<hex:16> <nonzero:10>:AAE<url:32> WPL_AP1.<any:16>.<base64:6>== hskey-auth-<url:12>-<url:64>
  tskey-api-<any:12>CNTRL-<any:32> nbp_<any:36> ss://<base64:44>@203.0.113.9:8388
  vless://<uuid>@vpn.acme.io:443?security=tls AQEyhmfx<base64:80>-<base64:40>= sk_sbox_<lower:26>z
  secret-token:mercury_production_rma_<any:40> persona_production_<uuid>
  https://quick-fox.base-mainnet.quiknode.pro/<hex:40>/ https://rpc.ankr.com/base/<hex:64> <hex:24>:<hex:64>
  sess-<any:40> ak-<any:22> esecret_<lower:26> secret_laptop_<hex:32>.<any:32> bt-st-<any:48> hl_sk_<hex:48>
  pl_<hex:32> signkey-prod-<hex:64> AQ.Ab8RN6<url:44> flp_<any:46> pylf_v1_us_<any:44> unkey_<any:22>
  <any:42>AzSe<any:6> EXO<hex:26> akab-<lower:16>-<lower:16> nf-<hex:40> vtwn_<any:28> sbp_v0_<hex:40> s.<any:24>
  st.<uuid>.<hex:32>.<hex:32> K10<hex:64>::server:<hex:32> token-<lower:5>:<lower:54> SWMTKN-1-<lower:50>-<lower:25>
  depot_project_<hex:64> key<any:14> cflt<base64:60> npg_<any:12> prod:happy-animal-123|<base64:90> mb_<base64:44>=
  hxtp_<hex:96> lin_wh_<any:40> sl.u.<url:140> ck_<hex:40> fr_<any:40> ix_<hex:40> private_<any:27>= ddapp_<any:34>
  eu01xx<hex:30>NRAL eyJrIjoi<base64:72> dt0s16.<upper:8>.<upper:64> csu_<hex:32> configcat-sdk-1/<url:22>/<url:22>
  default:development.<hex:56> secret_admin_<base64:43> dvc_server_<lower:20>_<hex:7> na1.<base64:80> inc_<hex:64>
  rootly_<hex:64> fhb-<hex:32> api-<upper:32> KEY01<upper:30>_<any:22> sec-c-<base64:48> <digit:15>|<url:27>
  <digit:19>-<any:30> act.<any:60>!<any:4>.e1 AAAA<url:7>:APA91b<url:134> dk_prod_<upper:28>
  trojan://<any:24>@vpn.acme.io:443 hysteria2://<any:24>@vpn.acme.io:443 at_<any:10>_s1<any:120> jca_<any:36>
  sk_<uuid> https://ethereum-mainnet.core.chainstack.com/<hex:32> mainnet<any:32> ramp_sec_<any:48> bxt_<any:40>
  waka_<uuid> PMAT-<upper:26> hawk.<any:20>.<any:20> chpt_<hex:12> aio_<any:28> PLAK<hex:32> ovsxp_<uuid>
  perm:<base64:20>.<base64:12>.<any:42> perm-<base64:20>.<base64:12>.<any:42> tr_prod_<any:24> sk_<any:32>.eu
  testsk_<url:32>.us wrkaus-<url:60> kpat_<any:48> sktsec_<url:44>_api AIK_CI_<any:40>
  mergify_application_key_<any:64> sk_dev_<url:64> secret_live_<any:8>.<any:32> kagi_<url:43> cr-<hex:58>
  https://hooks.slack-gov.com/services/T<upper:10>/B<upper:10>/<any:24>
  https://prod-12.westeurope.logic.azure.com:443/workflows/<hex:32>/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=<url:43>
  https://chat.acme.io/hooks/<lower:26> https://rocket.acme.io/hooks/<any:24>/<any:64>
  https://alert.victorops.com/integrations/generic/20131114/alert/<uuid>/default
  https://api.netlify.com/build_hooks/<hex:24> https://api.vercel.com/v1/integrations/deploy/prj_<any:28>/<any:10>
  https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/<uuid>
  https://api.render.com/deploy/srv-<lower:20>?key=<url:11> https://acme.app.n8n.cloud/webhook/<uuid>
  https://hooks.airtable.com/workflows/v1/genericWebhook/app<any:14>/wfl<any:14>/wtr<any:14>
  https://hooks.clickup.com/hook/<uuid> https://acme.tines.com/webhook/<hex:32>/<hex:32>
  https://webhooks.workato.com/webhooks/rest/<uuid>/new
  https://api.telegram.org/bot<nonzero:10>:AAH<url:32>/sendMessage https://webexapis.com/v1/webhooks/incoming/<url:76>
  https://api.flock.com/hooks/sendMessage/<uuid> https://media.guilded.gg/webhooks/<uuid>/<url:86>
  https://hub.docker.com/api/build/v1/source/<uuid>/trigger/<uuid>/call/ https://hc-ping.com/<uuid>
  https://cronitor.link/p/<hex:32>/job https://uptime.betterstack.com/api/v1/heartbeat/<any:24>
  https://oncall-prod-us-central-0.grafana.net/oncall/integrations/v1/webhook/<any:24>/
  https://api.squadcast.com/v2/incidents/api/<hex:40> https://http-intake.logs.datadoghq.com/v1/input/<hex:32>
  https://endpoint4.collection.sumologic.com/receiver/v1/http/<any:80>==
  https://logs-01.loggly.com/inputs/<uuid>/tag/http/
  https://calendar.google.com/calendar/ical/me%40acme.io/private-<hex:32>/basic.ics
  https://mainnet.infura.io/v3/<hex:32> https://base-mainnet.g.alchemy.com/v2/<any:32> tok_<hex:32> whsec_<any:32>
  sb_secret_<any:20> pscale_tkn_<any:32> pat<any:14>.<hex:64> dckr_pat_<any:27> dt0c01.<upper:24>.<upper:64> hcaik_<lower:58>
  xkeysib-<hex:64>-<any:16> re_<any:8>_<any:24> tskey-auth-<any:12>CNTRL-<any:32> MTk4NjIyNDgzNDcxOTI1MjQ4.<url:6>.<url:27>
  https://acme.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/<hex:32>/<uuid> <any:76>AZDO<any:4>
  app:Vb1Tk9Mh3Yc6@tcp(db.internal:3306)/shop jdbc:postgresql://db.internal/shop?user=app&password=winterMorning
  `),
  "Authorization: GenieKey <uuid>",
  "Authorization: Splunk <uuid>",
  "X-Postmark-Server-Token: <uuid>",
  "PresharedKey = <base64:43>=",
  "PrivateKey = <base64:43>=",
  "Server=tcp:db.internal,1433;User ID=app;Password=Correct-Horse;Encrypt=True",
  "-----BEGIN OpenVPN Static key V1-----\n<hex:32>\n<hex:32>\n<hex:32>\n-----END OpenVPN Static key V1-----",
  "-----BEGIN NEBULA ED25519 PRIVATE KEY-----\n<base64:86>==\n-----END NEBULA ED25519 PRIVATE KEY-----",
]);

/** What is public, an id, or made up by documentation. */
export const vendorDecoys = formed([
  ...words(`
  https://quick-fox.base-mainnet.quiknode.pro/YOUR_TOKEN/ https://rpc.ankr.com/base
  pa-rt-of-a-long-slug-that-is-forty-three-chars-long md-button-md-raised-md-primary as-long-as-you-like-it
  kit_example key_points_of_the_article_are_listed_here oauth:your_token_goes_here_without_quotes
  vless://00000000-0000-0000-0000-000000000000@host ss://method:password@hostname:port
  secret-santa-party-for-the-whole-office secret-token:example sha256:<hex:64> ser.viceName.of.this.class
  api_version.v2_latest price_<any:24> cus_<any:14> pk_live_<any:24> phc_<any:43> 0x<hex:40> G-<upper:10>
  arn:aws:iam::<digit:12>:role/app m0-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx K005aaaaaaaaaaaaaaaaaaaaaaaaaaa
  AstraCS:<clientId>:<secret> xoxd-... hskey-auth-<prefix>-<key>
  `),
  "commit <hex:40>",
  "integrity <hex:24>",
  "trace <hex:32>-<hex:16>-01",
  "request <uuid>",
  'ETag "<hex:32>-5"',
  "sat.urday and sun.day",
  "st.anza st.andard",
  "K00L-cats of the year",
  "wandb_v1 is the name of the format",
  "crsr_ keys begin with these letters",
  "GenieKey xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
  "Splunk Enterprise 9.3.1",
  "gtag('config', 'UA-<digit:8>-1')",
]);
