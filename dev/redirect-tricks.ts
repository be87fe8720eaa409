/**
 * Texts that led browsers or parsers to another site than a checker assumed, from public lists of open redirects (OWASP's cheat
 * sheet, PayloadsAllTheThings, the WHATWG URL tests). `evil.example` is their target.
 */
const EVIL = "evil.example";

/** Prefixes of a host where a path is expected. */
const LEADS = [
  ...["//", "///", "////", "/\\", "\\/", "\\\\", "\\/\\/", "/\\/", "//\\", "/\\\\", "///\\", "\\\\\\\\"],
  ...["/\t/", "/\n/", "/\r/", "/\r\n/", "\t//", "\n//", " //", "/ /", "/\u0000/", "/\u000b/", "/\u00a0/", "/\u2028/"],
  ...["/.//", "/..//", "/./..//", "/x/..//", "/x/../\\", "/x/.././/", "/x/y/../..//", "/dashboard/..//", "/../../..//"],
  ...[
    "/%2e//",
    "/%2e%2e//",
    "/x/%2e%2e//",
    "/x/%2E.//",
    "/x/.%2e//",
    "/x/%2e%2e/\\",
    "/.%2e/\\",
    "/dashboard/%2e%2e//",
  ],
  ...["/x/..\\\\", "/x/..\\/", "/x\\..\\\\", "/\\x/..//", "/x/..\t//", "/x/.\t.//", "/x/.\n.//", "/x/..//\t/"],
  ...["/%2f", "/%2F/", "/%5c", "/%5C/", "/%2f%2f", "/%252f%252f", "/%255c", "/%25252f", "%2f%2f", "%2f/", "%5c%5c"],
  ...["/%09/", "/%0a/", "/%0d/", "/%0d%0a/", "/%00/", "/%20/", "/%0b/", "/%c0%af", "/%e2%80%a8/", "/%ef%bc%8f", "/;/"],
  ...["/．．//", "/x/．．//", "/。。//", "／／", "/／", "/⁄", "/∕", "/＼", "＼＼", "/\u2215/", "/\ufe63/", "/\u29f8/"],
  ...["//;@", "//x@", "//localhost@", "//localhost:3000@", "//localhost%00@", "//localhost%40", "//x:y@", "///x@"],
  ...["/x//", "/x///../../", "//x/../", "/.\\", "/..\\", "/.%5c", "/..%2f", "/..%5c", "/..;//", "/..;/", "/.;//"],
] as const;

/** Prefixes that do not form a path. */
const OTHERS = [
  ...[
    "https://",
    "http://",
    "https:",
    "https:/",
    "https:///",
    "https:\\\\",
    "https:/\\",
    "HTTPS://",
    "hTtP://",
    "http:///",
  ],
  ...[
    "ftp://",
    "ws://",
    "wss://",
    "file://",
    "view-source:https://",
    "blob:https://",
    "feed:https://",
    "x://",
    "intent://",
  ],
  ...[
    "\thttps://",
    " https://",
    "\nhttps://",
    "ht\ttps://",
    "https\n://",
    "https:/\t/",
    "\u0000https://",
    "\u0001https://",
  ],
  ...["https://localhost@", "https://localhost:3000@", "https://localhost%23@", "https://localhost\\@", "https://x:y@"],
  ...[
    "https://localhost.",
    "https://localhost%2e",
    "https://localhost:3000.",
    "https://localhost\u3002",
    "@",
    "x@",
    ":",
    ".",
    "",
  ],
].map((lead) => `${lead}${EVIL}`);

const SCRIPTS = [
  ...[
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
  ],
  ...[
    "javascript://localhost/%0aalert(1)",
    "/javascript:alert(1)",
    "//javascript:alert(1)",
    "javascript&colon;alert(1)",
  ],
  ...[
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "data:;base64,PHNjcmlwdD4=",
    "about:blank",
    "blob:x",
  ],
  ...["/\r\nLocation: https://evil.example", "/%0d%0aLocation:%20https://evil.example", "/x\r\nSet-Cookie: a=b"],
];

/** Look-alikes of an allowed host, and other spellings of addresses. */
const HOSTS = [
  ...[
    "evil.example",
    "EVIL.EXAMPLE",
    "evil。example",
    "evil．example",
    "ｅｖｉｌ.example",
    "evil%2eexample",
    "evil.example.",
  ],
  ...["localhost.evil.example", "localhost-evil.example", "localhost:3000.evil.example", "evil.example:3000", "0x7f.1"],
  ...[
    "[::ffff:127.0.0.1]",
    "127.1",
    "2130706433",
    "0177.0.0.1",
    "loc\u00adalhost.evil.example",
    "loⓒalhost.evil.example",
  ],
].flatMap((host) => [`//${host}`, `/\\${host}`, `https://${host}`, `/x/..//${host}`]);

/** At least 200 distinct texts. */
export const REDIRECT_TRICKS: readonly string[] = [
  ...new Set([...LEADS.flatMap((lead) => [`${lead}${EVIL}`, `${lead}${EVIL}/..`]), ...OTHERS, ...SCRIPTS, ...HOSTS]),
];
