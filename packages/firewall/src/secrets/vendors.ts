/**
 * Keys that are recognised by their first characters, as their vendors publish them, below the names of trades. Each pattern starts with two plain
 * characters and is matched at the start of a word. Repetitions are bounded or end with the word, so that no pattern is
 * quadratic in the length of the text. Webhooks are addresses that are secrets: who has one can post to it, start a deployment or read a
 * calendar. Data only.
 */
const listed = (patterns: string): readonly string[] => patterns.match(/(?<!\S)[^\s#]\S*/g) ?? [];
const uuid = "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}";
const discord = ["MT", "MD", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"]
  .map((start) => String.raw`${start}[A-Za-z0-9_-]{21,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])`)
  .join(" ");

/** Private keys without the lines around them: PKCS#8 and PKCS#1 of RSA, PKCS#8 and SEC 1 of curves. */
const [line, lineEnd] = ["[A-Za-z0-9+/]", "\\r?\\n[ \\t]{0,8}"];
/** What follows a last line without padding is no word: it could be one of the text. */
const lastLine = `${lineEnd}${line}{2,76}(?:={1,2}|(?![ \\t\\r\\n]{0,9}[\\w+/=]))`;
const lines = `${line}{24,}={0,2}(?:${lineEnd}${line}{32,76}={0,2}){0,80}(?:${lastLine})?`;
const bareKeys: readonly string[] = [
  `MII[A-Za-z0-9+/]{3}IBADANBgkqhkiG9w0BAQEFAASC${lines}`,
  `MII[A-Za-z0-9+/]{3}IBAAK(?:BgQ|C[AQ])${lines}`,
  `MI[GH][A-Z0-9]AgEAMB[A-Z]GByqGSM49AgEG${lines}`,
  `MC4CAQAwBQYDK2V[wu]BCIEI${lines}`,
  `MH[cQ]CAQEEI${lines}`,
  `MIG[km]AgEBBD${lines}`,
];

export const keyPatterns: readonly string[] = [
  ...listed(String.raw`
  #models
  sk-ant-[a-z]{2,8}\d\d-[\w-]{80,140} sk-(?:proj|svcacct|admin|or-v1|lf)-[\w-]{20,200} sk-[A-Za-z0-9]{20,64}
  sk_[a-f0-9]{48}(?![A-Za-z0-9]) hf_[A-Za-z]{34}(?![A-Za-z]) api_org_[A-Za-z]{34}(?![A-Za-z]) pplx-[A-Za-z0-9]{48}
  gsk_[A-Za-z0-9]{52} xai-[A-Za-z0-9]{80} r8_[A-Za-z0-9]{37} nvapi-[\w-]{60,70}(?![\w-]) csk-[a-z0-9]{48}(?![a-z0-9])
  tgp_v1_[\w-]{43}(?![\w-]) fw_[A-Za-z0-9]{22,24}(?![A-Za-z0-9]) lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}
  tvly-(?:(?:dev|prod)-)?[A-Za-z0-9]{32}(?![A-Za-z0-9]) jina_[A-Za-z0-9_-]{48,64}(?![\w-]) fc-[a-f0-9]{32}(?![a-f0-9])
  pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,70} e2b_[a-f0-9]{40}(?![a-f0-9]) rpa_[A-Z0-9]{40,60}(?![A-Z0-9])
  apify_api_[A-Za-z0-9]{34,40} bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t ABSK[A-Za-z0-9+/]{109,260}={0,2}
  sk-(?:helicone|let)-[\w=-]{24,120} pa-(?=[\w-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])
  llx-[A-Za-z0-9]{48}(?![A-Za-z0-9]) BSA[\w-]{27,29}(?![\w-]) bb_(?:live|test)_[\w-]{20,40}(?![\w-])
  ls__[a-f0-9]{32}(?![a-f0-9]) wandb_v1_[A-Za-z0-9_]{60,90}(?![A-Za-z0-9_]) m0-[A-Za-z0-9]{40}(?![A-Za-z0-9])
  crsr_[a-f0-9]{64}(?![a-f0-9]) key_[a-f0-9]{64}(?![a-f0-9]) as-(?=[A-Za-z]{0,21}\d)[A-Za-z0-9]{22}(?![\w-])
  sess-[A-Za-z0-9]{40}(?![A-Za-z0-9]) ak-(?=[A-Za-z]{0,21}\d)[A-Za-z0-9]{22}(?![\w-]) esecret_[a-z0-9]{26}(?![a-z0-9])
  secret_\w{1,24}_[a-f0-9]{32}\.[A-Za-z0-9]{32} bt-st-[A-Za-z0-9]{48}(?![A-Za-z0-9]) hl_sk_[a-f0-9]{48}(?![a-f0-9])
  pl_[a-f0-9]{32}(?![a-f0-9]) signkey-(?:prod|test|branch)-[a-f0-9]{64}(?![a-f0-9]) AQ\.Ab[\w-]{40,60}(?![\w-])
  flp_[A-Za-z0-9]{46}(?![A-Za-z0-9]) pylf_v\d_[a-z]{2}_[A-Za-z0-9]{40,50}(?![A-Za-z0-9])
  unkey_[A-Za-z0-9]{20,30}(?![A-Za-z0-9]) kagi_[\w-]{40,50}(?![\w-]) cr-[a-f0-9]{58}(?![a-f0-9])
  #clouds
  AKIA[A-Z2-7]{16} ASIA[A-Z2-7]{16} ABIA[A-Z2-7]{16} ACCA[A-Z2-7]{16} AIza[\w-]{35}(?![\w-]) ya29\.[\w-]{20,260}
  GOCSPX-[\w-]{28} LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9]) AKID[A-Za-z0-9]{13,40}(?![A-Za-z0-9])
  SCW[A-Z0-9]{17}(?![A-Z0-9]) AQVN[\w-]{35,38}(?![\w-]) t1\.[A-Za-z0-9_-]{20,300}={0,2}\.[\w-]{86}={0,2}
  YC[A-Za-z0-9_-]{38}(?![\w-]) do[opr]_v1_[a-f0-9]{64} v1\.0-[a-f0-9]{24}-[a-f0-9]{146} fo1_[\w-]{43}
  fm[12][ar]?_[A-Za-z0-9+/]{100,400}={0,3} HRKU-AA[\w-]{58} vercel_[A-Za-z0-9]{24}
  vc[apirk]_[A-Za-z0-9]{24,64}(?![A-Za-z0-9]) nfp_[A-Za-z0-9]{36}(?![A-Za-z0-9]) rnd_[A-Za-z0-9]{28,40}(?![A-Za-z0-9])
  dd[po]_[A-Za-z0-9]{36}(?![A-Za-z0-9]) sha256~[\w-]{43}(?![\w-]) tk-us-[\w-]{48} pul-[a-f0-9]{40}
  ico-[A-Za-z0-9]{32}(?![A-Za-z0-9]) API-[A-Z0-9]{25,32}(?![A-Z0-9]) hv[sbr]\.[\w-]{24,300}
  dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40,60} s-s4t2(?:ud|af)-[a-f0-9]{64}
  K00\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/]) ucat_[A-Z0-9]{26}(?![A-Z0-9]) HRKU-${uuid}
  cf(?:k|ut|at)_[A-Za-z0-9]{40,56}(?![A-Za-z0-9]) sat\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}
  st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32} glrtr-[\w-]{20,64}(?![\w-]) retool_01[a-z0-9]{24,40}(?![a-z0-9])
  n8n_api_[a-f0-9]{80}(?![a-f0-9]) zpka_[a-f0-9]{32}_[a-f0-9]{8}
  #code
  gh[pousr]_[A-Za-z0-9]{36,255} github_pat_[A-Za-z0-9_]{60,90}
  gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas|ffct|wt)-[\w-]{20,64}(?:\.[\w]{2,16}){0,2} GR1348941[\w-]{20}
  ATBB[A-Za-z0-9]{32}(?![A-Za-z0-9]) ATATT3[\w=-]{180,200} ATCTT3xFfG[\w=-]{140,220}
  ATTA[a-f0-9]{64}[A-F0-9]{8}(?![A-Za-z0-9]) npm_[A-Za-z0-9]{36} pypi-AgEIcHlwaS5vcmc[\w-]{50,260}
  pypi-AgENdGVzdC5weXBpLm9yZ[\w-]{50,260} rubygems_[a-f0-9]{48} cio[A-Za-z0-9]{32}(?![A-Za-z0-9])
  oy2[a-z0-9]{43}(?![a-z0-9]) CLOJARS_[a-z0-9]{60} dckr_(?:pat|oat)_[\w-]{27,32}(?![\w-]) AKCp[A-Za-z0-9]{69}
  cmVmdGtuOj[A-Za-z0-9]{54} CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}
  bk(?:ua|aj|pat|agent)_[a-f0-9]{38,42}(?![a-f0-9]) pat\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}
  sq[apu]_[a-f0-9]{40}(?![a-f0-9]) sgp_(?:[A-Fa-f0-9]{16}_|local_)?[A-Fa-f0-9]{40}(?![A-Fa-f0-9])
  sg[sd]_[A-Za-z0-9_]{36,64}(?![A-Za-z0-9]) PMAK-[a-f0-9]{24}-[a-f0-9]{34} pnu_[A-Za-z0-9]{36} pnb_[A-Za-z0-9]{36}
  rdme_[a-z0-9]{70} lin_api_[A-Za-z0-9]{40} lin_oauth_[a-f0-9]{64} pk_\d{6,9}_[A-Z0-9]{32}(?![A-Z0-9])
  snyk_(?:sat|uat)\.[a-z0-9]{8}\.[\w.-]{60,300}
  #data
  dapi[a-f0-9]{32}(?:-\d)?(?![a-z0-9]) dose[a-f0-9]{32}(?![a-z0-9])
  pscale_(?:tkn|pw|oauth|otkn)_[\w=.-]{32,64}(?![\w-]) pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![a-f0-9]) sbp_[a-f0-9]{40}
  sb_secret_[\w-]{20,60} napi_[a-z0-9]{60,70}(?![a-z0-9]) AVNS_[\w-]{19,24}(?![\w-])
  dbt[cu]_[A-Za-z0-9_-]{30,60}(?![\w-]) xau_[A-Za-z0-9]{30,48}(?![A-Za-z0-9]) essu_[A-Za-z0-9+/=]{40,200}
  4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9]) ntn_\d{11}[A-Za-z0-9]{35} secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])
  CFPAT-[\w-]{43}(?![\w-]) tfp_[\w.=-]{56,64}(?![\w-]) sk\.eyJ1Ijoi[\w-]{20,120}\.[\w-]{20,24}
  sl\.[\w-]{100,300}(?![\w-]) pat-(?:na|eu|ap)\d-${uuid} 00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,140}
  BBFF-[A-Za-z0-9]{30}(?![A-Za-z0-9]) samsara_api_[A-Za-z0-9]{30} AstraCS:[A-Za-z0-9]{24}:[a-f0-9]{64}
  CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40} mdb_sa_sk_[\w-]{40}(?![\w-]) fnA[A-Za-z0-9_-]{37,41}(?![\w-])
  sgp_[A-Za-z0-9]{64}(?![A-Za-z0-9]) sk[A-Za-z0-9]{120,190}(?![A-Za-z0-9])
  api_[A-Za-z0-9]{20,24}\.[A-Za-z0-9]{20,24}(?![A-Za-z0-9]) cal_(?:live_)?[a-f0-9]{32}(?![a-f0-9])
  polar_(?:oat|pat|rt|cs|whs)_[A-Za-z0-9]{32,60}(?![A-Za-z0-9]) cflt[A-Za-z0-9+/]{60}(?![A-Za-z0-9+/])
  npg_(?=[A-Za-z]{0,11}\d)[A-Za-z0-9]{12}(?![A-Za-z0-9]) prod:[a-z]{2,20}-[a-z]{2,20}-\d{1,4}\|[A-Za-z0-9+/=]{50,200}
  mb_[A-Za-z0-9+/]{43,44}=(?![A-Za-z0-9+/=]) hxt[pw]_[a-f0-9]{96}(?![a-f0-9]) lin_wh_[A-Za-z0-9]{32,48}(?![A-Za-z0-9])
  sl\.u\.[\w-]{100,300}(?![\w-]) ck_[a-f0-9]{40}(?![a-f0-9]) cs_[a-f0-9]{40}(?![a-f0-9])
  key(?=[A-Za-z]{0,13}\d)(?=[a-z\d]{0,13}[A-Z])[A-Za-z0-9]{14}(?![\w-])
  #design
  fig(?:d|u|o|or|ur|dr|uh|oh|orh|urh)_[\w-]{40,60}(?![\w-]) p8e-[A-Za-z0-9]{32}(?![A-Za-z0-9])
  fio-u-[\w=-]{64}(?![\w-]) cnvca[A-Za-z0-9_-]{50,60}(?![\w-]) MC5[\w-]{10,60}\.[\w%-]{30,200}
  ix_[a-f0-9]{40}(?![a-f0-9]) private_[A-Za-z0-9+/]{27}=(?![A-Za-z0-9+/=]) fr_[A-Za-z0-9]{40}(?![A-Za-z0-9])
  #monitoring
  glc_[A-Za-z0-9+/]{32,400}={0,3} glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8} sntry[su]_[A-Za-z0-9+/=_-]{50,300}
  NRAK-[A-Z0-9]{27} NRII-[\w-]{32}(?![\w-]) NRI[IQ]-[\w-]{32}(?![\w-]) NRJS-[a-f0-9]{19}(?![a-f0-9])
  NRRA-[a-f0-9]{42}(?![a-f0-9]) NRSP-[a-z]{2}\d{2}[a-f0-9-]{34,40} dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}
  hc[abx][ilm]k_[a-z0-9]{26,64}(?![a-z0-9]) hcw_[A-Za-z0-9]{28}(?![A-Za-z0-9]) hcr_[A-Za-z0-9]{28}(?![A-Za-z0-9])
  phx_[A-Za-z0-9]{40,50}(?![A-Za-z0-9]) phs_[A-Za-z0-9]{40,50}(?![A-Za-z0-9]) xa(?:at|pt)-${uuid}
  cx(?:tp|up)_[A-Za-z0-9]{28,34}(?![A-Za-z0-9]) cu_[a-f0-9]{32}(?![a-f0-9]) ur\d{5,9}-[a-f0-9]{24}(?![a-f0-9])
  sdk-${uuid} api-${uuid} GenieKey\x20${uuid}
  Splunk\x20[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}
  secret-[A-Za-z0-9]{43,50}(?![A-Za-z0-9]) ser\.[A-Za-z0-9]{22}(?![A-Za-z0-9]) sts_[a-f0-9]{32}(?![a-f0-9])
  dd(?:app|pat)_[A-Za-z0-9]{34,44}(?![A-Za-z0-9]) dt0[a-z]\d{2}\.[A-Z0-9]{8}\.[A-Z0-9]{64}
  eyJrIjoi[A-Za-z0-9+/=]{60,120} csu_[a-f0-9]{32}(?![a-f0-9]) configcat-sdk-\d/[\w-]{22}/[\w-]{22}(?![\w-])
  default:[a-z]{3,20}\.[a-f0-9]{56}(?![a-f0-9]) secret_(?:admin|readonly|user)_[A-Za-z0-9+/]{40,48}
  dvc_(?:server|client|mobile)_\w{20,40} na1\.[A-Za-z0-9+/]{60,120}
  inc_(?:live_)?(?:[a-f0-9]{64}|[A-Za-z0-9]{40})(?![A-Za-z0-9]) rootly_[a-f0-9]{64}(?![a-f0-9])
  fhb-[a-f0-9]{32}(?![a-f0-9])
  #mail
  SG\.[\w-]{16,32}\.[\w-]{30,66} key-[a-f0-9]{32} xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}
  xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16} re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}(?![A-Za-z0-9])
  mlsn\.[a-f0-9]{64}(?![a-f0-9]) pk_[a-f0-9]{34}(?![A-Za-z0-9]) nyk_(?:v0_)?[A-Za-z0-9]{40,80}(?![A-Za-z0-9])
  fmu1-[a-f0-9]{8}-[a-f0-9]{32}-[\w-]{10,60} api-[A-F0-9]{32}(?![A-F0-9]) dG9rO[A-Za-z0-9+/]{54}=
  kit_[a-f0-9]{32}(?![a-f0-9]) md-(?=[\w-]{0,21}\d)(?=[\w-]{0,21}[A-Z])[\w-]{22}(?![\w-])
  1000\.[a-f0-9]{32}\.[a-f0-9]{32}(?![a-f0-9])
  #messaging
  xox[abeoprs](?:\.xox[bp])?-\d{1,16}-[A-Za-z0-9-]{14,260} xapp-\d-[A-Z0-9]{5,20}-\d{5,20}-[a-z0-9]{32,80} ${discord}
  SK[a-f0-9]{32}(?![a-f0-9]) EAA[MC][A-Za-z0-9]{100,260} EAA[A-Za-z0-9]{80,260}(?![A-Za-z0-9])
  AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{40,120} EZ[AT]K[A-Za-z0-9]{54}(?![A-Za-z0-9]) IGQV[\w-]{80,260}
  xoxc-\d{1,16}-[A-Za-z0-9-]{14,260} xoxd-[A-Za-z0-9%+/=]{80,400} xwfp-[A-Za-z0-9-]{40,260} mfa\.[\w-]{84}(?![\w-])
  pk_(?:prod|test)_[A-Z0-9]{28}(?![A-Z0-9]) os_v2_(?:app|org)_[a-z2-7]{80,130}(?![a-z0-9]) tk_[a-z0-9]{29}(?![a-z0-9])
  syt_[A-Za-z0-9=+/]{2,120}_[A-Za-z]{20}_[A-Za-z0-9]{6}(?![A-Za-z0-9]) WPL_AP\d\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{8}
  oauth:[a-z0-9]{30}(?![a-z0-9]) api-(?=[A-Z]{0,31}\d)[A-Z0-9]{32}(?![A-Z0-9])
  KEY01[A-Z0-9]{30}_[A-Za-z0-9]{22}(?![A-Za-z0-9]) sec-c-[A-Za-z0-9+/=]{46,52}
  act\.[A-Za-z0-9]{50,70}![A-Za-z0-9]{4}\.[a-z]\d AAAA[\w-]{7}:APA91b[\w-]{130,150}
  dk_(?:prod|test)_[A-Z0-9]{28}(?![A-Z0-9]) atk_[A-Za-z0-9]{32}(?![A-Za-z0-9]) aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])
  testsk_[\w-]{32}\.[a-z]{2}(?![a-z]) sk_[A-Za-z0-9]{32}\.(?:eu|us|in|ca|au)(?![a-z])
  #webhooks
  hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,90}
  discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{10,24}/[\w-]{40,90}
  ptb\.discord(?:app)?\.com/api/webhooks/\d{10,24}/[\w-]{40,90}
  canary\.discord(?:app)?\.com/api/webhooks/\d{10,24}/[\w-]{40,90}
  webhookb2/(?<=\.webhook\.office\.com/webhookb2/)[\w@-]{36,90}/IncomingWebhook/[\w-]{20,64}/[\w-]{36}(?:/[\w-]{10,60})?
  outlook\.office(?:365)?\.com/webhook/[\w@-]{36,90}/IncomingWebhook/[\w-]{20,64}/[\w-]{36}
  hooks\.zapier\.com/hooks/(?:catch|standard)/\d{4,12}/[A-Za-z0-9]{5,40}
  chat\.googleapis\.com/v1/spaces/[\w-]{5,30}/messages\?key=[\w-]{20,60}&token=[\w%-]{20,100}
  open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/[\w-]{30,40}
  oapi\.dingtalk\.com/robot/send\?access_token=[a-f0-9]{64}
  qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[a-f0-9-]{36}
  maker\.ifttt\.com/(?:trigger/\w{1,60}(?:/json)?/with/key|use)/[\w-]{20,50}
  hook\.(?:(?:eu|us)\d\.)?(?:make|integromat)\.com/[a-z0-9]{30,34} sig=(?<=[?&]sig=)[A-Za-z0-9%+/_-]{40,66}
  events\.pagerduty\.com/integration/[a-f0-9]{32}
  hooks\.slack-gov\.com/services/[A-Z0-9]{8,14}/[A-Z0-9]{8,14}/[A-Za-z0-9]{20,30}
  hooks/(?<=://[\w.-]{4,60}/hooks/)[a-z0-9]{26}(?![a-z0-9])
  hooks/(?<=://[\w.-]{4,60}/hooks/)[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,70}
  api\.netlify\.com/build_hooks/[a-f0-9]{24}(?![a-f0-9])
  api\.vercel\.com/v1/integrations/deploy/(?:prj_)?[A-Za-z0-9]{24,32}/[A-Za-z0-9]{10}
  api\.cloudflare\.com/client/v4/pages/webhooks/deploy_hooks/${uuid}
  api\.render\.com/deploy/srv-[a-z0-9]{20}\?key=[\w-]{11}
  alert\.victorops\.com/integrations/generic/\d{8}/alert/${uuid} app\.n8n\.cloud/webhook/${uuid}
  hooks\.airtable\.com/workflows/v1/genericWebhook/app[A-Za-z0-9]{14}/wfl[A-Za-z0-9]{14}/wtr[A-Za-z0-9]{14}
  hooks\.clickup\.com/hook/${uuid} tines\.(?:com|io)/webhook/[a-f0-9]{32}/[a-f0-9]{32}
  webhooks\.workato\.com/webhooks/rest/${uuid} webexapis\.com/v1/webhooks/incoming/[\w-]{60,100}
  api\.flock\.com/hooks/sendMessage/${uuid} media\.guilded\.gg/webhooks/${uuid}/[\w-]{80,90}
  hub\.docker\.com/api/build/v1/source/${uuid}/trigger/${uuid} hc-ping\.com/(?:${uuid}|[\w-]{22}/)
  cronitor\.link/p/[a-f0-9]{32} nosnch\.in/[a-f0-9]{10}(?![a-f0-9])
  uptime\.betterstack\.com/api/v1/heartbeat/[A-Za-z0-9]{24}
  oncall[\w-]{0,40}\.grafana\.net/oncall/integrations/v1/\w{2,30}/[A-Za-z0-9]{20,30}
  api\.squadcast\.com/v2/incidents/\w{2,20}/[a-f0-9]{40}
  http-intake\.logs\.datadoghq\.(?:com|eu)/v1/input/[a-f0-9]{32}
  collection\.(?:\w{2,3}\.)?sumologic\.com/receiver/v1/http/[\w=-]{60,120} loggly\.com/inputs/${uuid}
  bot(?<=api\.telegram\.org/bot)[0-9]{8,11}:A[\w-]{34,35}
  private-(?<=/ical/[\w%.@-]{3,80}/private-)[a-f0-9]{32}(?![a-f0-9])
  #networks
  tskey-(?:api|auth|client|scim|webhook|oauth)-[A-Za-z0-9]{6,24}(?:CNTRL)?-[A-Za-z0-9]{20,40}(?![A-Za-z0-9])
  tskey-[A-Za-z0-9]{12,20}(?:CNTRL)?-[A-Za-z0-9]{20,40}(?![A-Za-z0-9]) nbp_[A-Za-z0-9]{36}(?![A-Za-z0-9])
  eyJhIjoi[A-Za-z0-9+/=]{120,240} hskey-(?:auth|api)-[\w-]{12}-[\w-]{64}(?![\w-]) ss://[A-Za-z0-9+/=_-]{20,200}@
  vmess://eyJ[A-Za-z0-9+/=]{60,900} vless://${uuid}@ trojan://[^\s@/:]{12,80}@ hysteria2://[^\s@/:]{12,80}@
  SU[A-Z2-7]{56}(?![A-Z2-7]) jca_[A-Za-z0-9]{36}(?![A-Za-z0-9]) at_[A-Za-z0-9]{10}_s1[A-Za-z0-9]{60,300}
  `),
  ...bareKeys,
  ...listed(String.raw`
  #identity
  ops_eyJ[A-Za-z0-9+/]{60,900}={0,3}
  A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
  AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58} ory_(?:pat|st|ac|at|rt)_[\w-]{30,80}
  secret-(?:test|live)-[\w=-]{32,44} 00(?<=SSWS\x2000)[\w-]{40}(?![\w-]) ak_(?:live|test)_[A-Za-z0-9]{20,64}
  tok_[A-Za-z0-9_-]{24,80} xprv[A-Za-z0-9]{100,120}
  #payments
  sk_(?:live|test|prod|sandbox)_[A-Za-z0-9]{10,120} rk_(?:live|test|prod)_[A-Za-z0-9]{10,120}
  sk_(?:production|staging|development)_[A-Za-z0-9]{24,240} whsec_[A-Za-z0-9+/=]{24,64}
  sq0(?:atp|csp|idp)-[\w-]{22,43} EAAA[A-Za-z0-9_-]{60}(?![\w-]) shp(?:at|ca|pa|ss|rt|ua|ka)_[a-fA-F0-9]{32}
  access-(?:sandbox|development|production)-${uuid} access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}
  FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?(?![A-Za-z0-9]) rzp_(?:live|test)_[A-Za-z0-9]{14}(?![A-Za-z0-9])
  duffel_(?:test|live)_[\w=-]{43}(?![\w-]) shippo_(?:live|test)_[a-f0-9]{40}
  pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3} live_[A-Za-z0-9]{25,48}(?![\w-])
  test_[a-f0-9]{35}(?![a-f0-9]) AQE[A-Za-z0-9]{1,3}hmfx[\w+/=.-]{60,300} sk_sbox_[a-z0-9]{26}[a-z0-9*:#$=]
  sk_[A-Za-z0-9]{28}(?![A-Za-z0-9]) secret-token:[A-Za-z0-9_:.~-]{16,200}(?![\w-])
  persona_(?:production|sandbox)_${uuid} RGAPI-${uuid} quiknode\.pro/[a-f0-9]{40}(?![a-f0-9])
  ankr\.com/[\w/]{2,40}/[a-f0-9]{64}(?![a-f0-9]) sk_[a-z0-9]{26}[a-z0-9*:#$=](?![\w-]) sk_${uuid}
  ramp_sec_[A-Za-z0-9]{40,60}(?![A-Za-z0-9]) bxt_[A-Za-z0-9]{36,60}(?![A-Za-z0-9])
  mainnet[A-Za-z0-9]{32}(?![A-Za-z0-9]) sk_dev_[\w-]{60,70}(?![\w-])
  secret_(?:live|test)_[A-Za-z0-9]{8}\.[A-Za-z0-9]{32} PLAK[a-f0-9]{32}(?![a-f0-9])
  core\.chainstack\.com/[a-f0-9]{32}(?![a-f0-9])
  #chains
  v3/(?<=\binfura\.io/(?:ws/)?v3/)[a-f0-9]{32}(?![a-f0-9]) v2/(?<=\balchemy(?:api)?\.(?:com|io)/v2/)[\w-]{32}(?![\w-])
  LIVE_API_KEY:[a-f0-9]{32}:[a-f0-9]{32} TEST_API_KEY:[a-f0-9]{32}:[a-f0-9]{32}
  #deployment
  EXO[a-f0-9]{24,28}(?![a-f0-9]) akab-[a-z0-9]{16}-[a-z0-9]{16}(?![a-z0-9]) nf-[a-f0-9]{40}(?![a-f0-9])
  vtwn_[A-Za-z0-9]{28}(?![A-Za-z0-9]) sbp_(?:v0|oauth)_[a-f0-9]{40}(?![a-f0-9])
  st\.${uuid}\.[a-f0-9]{32}\.[a-f0-9]{32} K10[a-f0-9]{64}::\w{1,20}:[a-f0-9]{32}
  token-[a-z0-9]{5}:[a-z0-9]{54}(?![a-z0-9]) SWMTKN-\d-[a-z0-9]{50}-[a-z0-9]{25}(?![a-z0-9])
  BUNDLE_[A-Z0-9_]{2,60}\s?[:=]\s?["']?[\w.%-]{3,60}:[\w.%-]{6,100}
  depot_(?:project|org|user)_[a-f0-9]{64}(?![a-f0-9]) mergify_application_key_[\w-]{40,80}
  wrk(?:aus|eu|us|sg|au|jp)-[\w-]{60}(?![\w-]) tr_(?:prod|dev|stg|preview|pat)_[A-Za-z0-9]{20,44}(?![A-Za-z0-9])
  kpat_[A-Za-z0-9]{48}(?![A-Za-z0-9]) spat_[A-Za-z0-9]{48}(?![A-Za-z0-9]) ovsxp_${uuid} PMAT-[A-Z0-9]{26}(?![A-Z0-9])
  sktsec_[\w-]{40,50}_api AIK_CI_[A-Za-z0-9]{40}(?![A-Za-z0-9]) hawk\.[A-Za-z0-9]{20}\.[A-Za-z0-9]{20}(?![A-Za-z0-9])
  perm[:-][A-Za-z0-9+/=]{4,60}\.[A-Za-z0-9+/=]{4,60}\.[A-Za-z0-9]{30,60} chpt_[a-f0-9]{12,20}(?![a-f0-9]) waka_${uuid}
  `),
];

/** Words of a certain length that are keys because of a mark inside them or at their end. */
export const markedKeys: readonly (readonly [length: number, pattern: RegExp])[] = [
  [40, /^(?:[a-f0-9]{36}|[a-z]{2}\d{2}xx[a-f0-9]{30})NRAL$/],
  [52, /^[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}$/],
  [84, /^[A-Za-z0-9]{52}(?:JQQJ99|.{24}AZDO)/],
];

/**
 * Keys that are recognised by what follows their first word: the lengths of that word, and the pattern of the whole.
 */
export const wordPatterns: readonly (readonly [lengths: readonly number[], pattern: string])[] = [
  [[8, 9, 10, 11], "\\d{8,11}:A[A-Za-z][\\w-]{33,34}(?![\\w-])"],
  [[14], "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,70}"],
  [[6], "[A-Za-z0-9]{6}\\.[\\w-]{6}:[\\w-]{43}(?![\\w-])"],
  [[1], "s\\.(?=[A-Za-z]{0,23}\\d)(?=[a-z\\d]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\\w-])"],
  [[15], "\\d{15}\\|[\\w-]{27}(?![\\w-])"],
  [[19], "\\d{18,19}-[A-Za-z0-9]{30,40}(?![\\w-])"],
  [[16], "(?:\\d{16}\\|[\\w-]{27}|\\d{16}:[a-f0-9]{32}|[a-f0-9]{16}-[a-f0-9]{16}-[a-f0-9]{16})(?![a-f0-9])"],
  [[24], "[a-f0-9]{24}:[a-f0-9]{64}(?![a-f0-9])"],
  [[32], "[a-f0-9]{32}-(?:us\\d{1,2}(?!\\d)|[a-f0-9]{8}-[a-f0-9]{8}(?![a-f0-9-]))"],
];
