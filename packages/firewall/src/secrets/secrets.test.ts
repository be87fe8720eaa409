import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { english, generateMnemonic } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { scanPrompt } from "../prompt/scan.ts";

const hex64 = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const phrase = "test walk nut penalty hip pave soap entry language right filter choice";
const proof = btoa(
  JSON.stringify({
    x402Version: 1,
    scheme: "exact",
    network: "base",
    payload: { signature: `0x${"a1b2c3d4e5".repeat(13)}`, authorization: { from: "0x01" } },
  }),
);

describe("the preview hides a secret", () => {
  test.each([
    ["a wallet's key", `PRIVATE_KEY=0x${hex64}`, hex64],
    ["a wallet's key in words", `here is my private key ${hex64}`, hex64],
    ["a recovery phrase", `seed: ${phrase}!`, phrase],
    [
      "a numbered recovery phrase",
      phrase
        .split(" ")
        .map((word, index) => `${index + 1}. ${word}`)
        .join("\n"),
      "walk",
    ],
    ["a payment proof", `X-Payment: ${proof}`, proof],
    [
      "a signed authorization",
      `{"authorization":{"value":"1"},"signature":"0x${"9f3c5a7e1b".repeat(13)}"}`,
      "9f3c5a7e1b9f3c",
    ],
    [
      "a JSON web token",
      `Bearer ${btoa('{"alg":"RS256","typ":"JWT"}')}.${btoa('{"sub":"agent-7","exp":1}')}.Zm9vYmFyYmF6cXV4Zm9v`,
      "Zm9vYmFyYmF6",
    ],
    [
      "a PEM block",
      `-----BEGIN EC PRIVATE KEY-----\n${"MHcCAQEEIIGlRr8Xv".repeat(6)}\n-----END EC PRIVATE KEY-----`,
      "MHcCAQEE",
    ],
    ["a password", "DB_PASSWORD=tR8!kq02Lm", "tR8!kq02Lm"],
    ["a password in an address", "postgres://app:qT7vLx92pZ@db.internal:5432/x", "qT7vLx92pZ"],
    ["an API key by its name", 'apiKey: "9f2c41d0be7a4e6f8813c5aa70d2b961"', "9f2c41d0be7a"],
    ["a key with invisible characters in it", "ghp_Zx81kQpL0vNw\u200b92mTyRbUe64dAcHsJf37GoXi", "92mTyRbUe64d"],
    ["a password for curl", "curl -u deploy:n8Wq2xPz77 https://ci.internal", "n8Wq2xPz77"],
  ])("(%s)", (_, text, secret) => {
    const scan = scanPrompt({ text });
    expect(scan.redactedPreview).not.toContain(secret);
    expect(scan.redactedPreview).toContain("[REDACTED]");
    expect(scan.findings.map(({ code }) => code)).toContain("SECRET_PATTERN");
  });

  test.each([
    `PRIVATE_KEY=0x${hex64}`,
    `MAIN_PRIVATE_KEY=${hex64}`,
    `my private key is 0x${hex64}`,
    `my private key is ${hex64}`,
    `private key: 0x${hex64}`,
    `private key value: ${hex64}`,
    `privateKey: "0x${hex64}"`,
    `{"privateKey":"${hex64}"}`,
    `cast send --private-key 0x${hex64}`,
    `cast send --private-key=${hex64}`,
    `Use this private key to sign: 0x${hex64}`,
    `0x${hex64} is my private key`,
    `secret key: 0x${hex64}`,
    `ETH_KEY=${hex64}`,
    `import this key: 0x${hex64}`,
    `sign with 0x${hex64}`,
    `accounts: ["0x${hex64}"]`,
    `the hash of tx 5 and the private key 0x${hex64}`,
    `private key for address 0x5b38da6a701c568545dcfcb03fcb875f56beddc4 is ${hex64}`,
    `clave privada: ${hex64}`,
    `clé privée : ${hex64}`,
    `chave privada ${hex64}`,
    `chiave privata ${hex64}`,
    `приватный ключ: ${hex64}`,
    `закрытый ключ ${hex64}`,
    `私钥是${hex64}`,
    `秘密鍵: ${hex64}`,
    `개인 키는 ${hex64}`,
    `özel anahtar: ${hex64}`,
  ])("that controls money, and reports it as more severe than others: %s", (text) => {
    const { findings, redactedPreview } = scanPrompt({ text });
    expect(redactedPreview).not.toContain(hex64);
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toContain("SECRET_PATTERN high");
  });

  const body = "MHcCAQEEIIGlRr8Xv".repeat(6);
  const keypair = JSON.stringify(Array.from({ length: 64 }, (_, index) => (index * 37 + 11) % 256));
  test.each([
    ["PEM", `-----BEGIN EC PRIVATE KEY-----\n${body}\n-----END EC PRIVATE KEY-----`, body],
    ["PEM, quoted", `> -----BEGIN PRIVATE KEY-----\n> ${body}\n> ${body}\n> -----END PRIVATE KEY-----`, body],
    ["an extended key", `xprv9s21ZrQH143K${"3QTDL4LXw2F7HEK3wJUD2nW2nRk4".repeat(4)}`, "3QTDL4LX"],
    ["Solana's list", `keypair ${keypair}`, keypair],
    ["Bitcoin's form", "wif 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "5HueCGU8"],
    ["two groups", `private key: ${hex64.slice(0, 32)} ${hex64.slice(32)}`, hex64.slice(32)],
  ])("that controls money, in another format: %s", (_name, text, secret) => {
    const { findings, redactedPreview } = scanPrompt({ text });
    expect(redactedPreview).not.toContain(secret);
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toContain("SECRET_PATTERN high");
  });

  test("that is a published example phrase, without reporting a wallet's phrase", () => {
    const text = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    expect(findSecrets(`mnemonicToAccount('${text}')`).map(({ isWallet }) => isWallet)).toEqual([false]);
    expect(findSecrets(phrase).map(({ isWallet }) => isWallet)).toEqual([true]);
  });

  test.each([`API_SECRET=${hex64}`, `secret key: ${hex64}`, `token: ${hex64}`])(
    "a credential of an application: %s",
    (text) => {
      expect(findSecrets(text).map(({ isWallet }) => isWallet)).toEqual([false]);
      expect(scanPrompt({ text }).redactedPreview.includes(hex64)).toBe(false);
    },
  );

  test("of each entry in a list of keys", () => {
    const keys = [hex64, [...hex64].reverse().join(""), hex64.replaceAll("a", "b")];
    const text = `Private Keys\n==================\n${keys.map((key, index) => `(${index}) 0x${key}`).join("\n")}\ntx 0x${hex64}`;
    const shown = "Private Keys\n==================\n(0) [REDACTED]\n(1) [REDACTED]\n(2) [REDACTED]\n";
    expect(scanPrompt({ text }).redactedPreview).toBe(`${shown}tx 0x${hex64}`);
  });

  test.each([
    tokenOf({ alg: "RS256", typ: "JWT" }, { sub: "agent-7", exp: 1 }),
    tokenOf({ alg: "RS256", typ: "at+jwt" }, { iss: "https://a.example", amount: "5" }),
    tokenOf({ alg: "ES256" }, { scope: "pay", payTo: "0x01" }),
    tokenOf({ alg: "HS256" }, { amount: "5", exp: 1 }),
    tokenOf({ alg: "HS256" }, { cart: 5 }),
    tokenOf({ alg: "RS256", typ: "agent-vc" }, { typ: "agent-vc", aud: "https://a.example" }),
    tokenOf({ alg: "RS256", typ: "credit-payment+jwt" }, { mandateId: "m", amount: "5" }),
  ])("that grants access or payments: %s", (token) => {
    expect(scanPrompt({ text: `with ${token} now` }).redactedPreview).toBe("with [REDACTED] now");
  });

  test("that is any valid recovery phrase of 12 to 24 words", () => {
    for (const strength of [128, 160, 192, 224, 256] as const) {
      const words = generateMnemonic(english, strength);
      expect(scanPrompt({ text: `Write down ${words} here` }).redactedPreview).toBe("Write down [REDACTED] here");
    }
  });
});

describe("a recovery phrase among other words of its word list", () => {
  const separators = [" ", ", ", "\n", ": ", ". ", "\n\n", " - ", '"'];
  const around = fc.array(fc.constantFrom(...english), { maxLength: 6 }).map((words) => words.join(" "));

  test("is hidden up to its last word", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(16, 20, 24, 28, 32).chain((size) => fc.uint8Array({ minLength: size, maxLength: size })),
        fc.tuple(around, around),
        fc.tuple(...Array(2).fill(fc.constantFrom(...separators))),
        fc.constantFrom(" ", ", ", "\n"),
        fc.nat(22),
        (entropy, [before, after], [opening, closing], between, lineEnd) => {
          const secret = phraseOf(entropy)
            .map((word, index) => (index === lineEnd ? `${word}\n` : `${word}${between}`))
            .join("")
            .trim()
            .replace(/,$/, "");
          const start = `zz ${before}${opening}`.length;
          const text = `zz ${before}${opening}${secret}${closing}${after} zz`;
          const isHidden = new Uint8Array(text.length);
          for (const { code, span } of scanPrompt({ text }).findings)
            if (code === "SECRET_PATTERN" && span) isHidden.fill(1, span.start, span.end);
          expect(isHidden.slice(start, start + secret.length)).not.toContain(0);
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    // Each of these also forms a phrase with a valid checksum, together with the phrase or a part of it.
    [`Seed: ${phrase}. Save this alone again.`, "Seed: [REDACTED]. Save this alone again."],
    [`Keep seed list private: ${phrase}.`, "Keep seed list private: [REDACTED]."],
  ])("is separated from the other words by punctuation: %s", (text, shownText) => {
    expect(scanPrompt({ text }).redactedPreview).toBe(shownText);
  });
});

const github = "ghp_Zx81kQpL0vNw92mTyRbUe64dAcHsJf37GoXi";

test.each([`-${github}`, `+${github}`, `@@ -1 +0,0 @@\n-${github}\n`, `--key -${github}`, `> -${github}`])(
  "a key after a mark of a diff, a list or an option is hidden: %j",
  (text) => {
    expect(scanPrompt({ text }).redactedPreview).not.toContain(github);
  },
);

test.each([`my-${github}`, `docs/key-${github}.md`])("a part of a longer name is no key: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

describe("a private key without the lines around it", () => {
  test.each<[name: string, key: string]>([
    ["RSA in PKCS#8", exported("rsa", { modulusLength: 1024 }, "pkcs8")],
    ["RSA in PKCS#1", exported("rsa", { modulusLength: 1024 }, "pkcs1")],
    ["P-256 in PKCS#8", exported("ec", { namedCurve: "P-256" }, "pkcs8")],
    ["secp256k1 in PKCS#8", exported("ec", { namedCurve: "secp256k1" }, "pkcs8")],
    ["P-384 in PKCS#8", exported("ec", { namedCurve: "P-384" }, "pkcs8")],
    ["P-256 in SEC 1", exported("ec", { namedCurve: "P-256" }, "sec1")],
    ["P-384 in SEC 1", exported("ec", { namedCurve: "P-384" }, "sec1")],
    ["Ed25519 in PKCS#8", exported("ed25519", {}, "pkcs8")],
  ])("%s is hidden, on one line and on several", (_name, key) => {
    const lines = (key.match(/.{1,64}/g) ?? []).join("\n  ");
    expect(scanPrompt({ text: `import ${key} now` }).redactedPreview).toBe("import [REDACTED] now");
    expect(scanPrompt({ text: `import\n  ${lines}\nnow` }).redactedPreview).not.toContain(key.slice(-20));
    expect(findSecrets(lines).at(-1)?.end).toBe(lines.length);
  });

  test("is hidden although it has a word of samples by chance", () => {
    const key = exported("rsa", { modulusLength: 1024 }, "pkcs1");
    const text = `${key.slice(0, 300)}FAkE${key.slice(304)}`;
    expect(findSecrets(text)).toHaveLength(1);
  });

  test("is no public key", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(findSecrets(publicKey.export({ type: "spki", format: "der" }).toString("base64"))).toEqual([]);
  });
});

test.each(["oat", "ort", "api", "sid"])("a key of Claude of the kind %s is hidden", (kind) => {
  const key = `sk-ant-${kind}01-${"qX7vLm2Kp9Rt4Wz8Yb3Nc6Hd1Jf5Gs0Qa".repeat(3)}`;
  expect(scanPrompt({ text: `use ${key} here` }).redactedPreview).toBe("use [REDACTED] here");
});

test.each(["production", "staging"])("a key of a wallet's provider for %s is hidden", (stage) => {
  const key = `sk_${stage}_${"3CnVcSoNqAuX8NirNcVf3uWfUo"}${"LTK7btdTsGdutTWfWPoUC8zXA1".repeat(2)}`;
  expect(scanPrompt({ text: `use ${key} here` }).redactedPreview).toBe("use [REDACTED] here");
});

describe("text that only resembles a secret is kept", () => {
  test.each([
    `tx 0x${hex64} confirmed`,
    '"token_uri":"https://oauth2.acme.io/token","auth_provider_x509_url":"https://acme.io/certs"',
    "https://user:abc@api.acme.io/v1 https://user:1111@api.acme.io/v1",
    `-----BEGIN PRIVATE KEY-----\n${btoa("abcdefghijklmnopqrstuvwxyz")}\n-----END PRIVATE KEY-----`,
    `sha256: ${hex64}`,
    `nonce: 0x${hex64}`,
    `the private key was rotated in tx 0x${hex64}`,
    `private_key_sha256: ${hex64}`,
    `block hash 0x${hex64}, storage root 0x${hex64}`,
    `digest: sha256:${hex64}`,
    `integrity ${hex64}`,
    `0x${hex64} is the hash of the private key`,
    `offer ${tokenOf({ alg: "ES256K", typ: "JWT" }, { payTo: "0x01", amount: "5", iss: "https://a.example", exp: 1 })}`,
    `receipt ${tokenOf({ alg: "RS256", typ: "receipt+jwt" }, { payer: "0x01", amount: "5" })}`,
    "commit 4c0883a69102937d6231471b5dbb6204fe512961",
    "payTo: 0x4f1fd97a4acfdb5853fb039a7f006e22f9abf508",
    "requestId=d04bae95-5581-8466-23a4-515098781d30",
    'api_key = "your_api_key_here"',
    "password: <PASSWORD>",
    'token: "$GITHUB_TOKEN"',
    "password = getpass.getpass()",
    "Never share your seed phrase or private key with anyone.",
    phrase.split(" ").reverse().join(" "),
    `data: 0xa9059cbb${"0".repeat(24)}${hex64.slice(0, 40)}${hex64}`,
    "https://user@example.com/path",
    `clave pública: ${hex64}`,
    `the private key hash ${hex64}`,
    `signed with tx 0x${hex64}`,
    `sort_key=${hex64}`,
    `accounts root 0x${hex64}`,
    `two checksums: ${hex64.slice(0, 32)} ${hex64.slice(32)} md5`,
    "wif 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTK",
    `pixels ${JSON.stringify(Array.from({ length: 64 }, (_, index) => index % 16))}`,
    `bytes ${JSON.stringify(Array.from({ length: 65 }, (_, index) => (index * 37) % 256))}`,
    "https://api.example.com/v3/9aa3d95b3bc440fa88ea12eaa4456161",
    "max_tokens: 4096, total_tokens = 12345678",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
  ])("%s", (text) => {
    expect(scanPrompt({ text }).redactedPreview).toBe(text);
  });
});

/** A new private key in base64. */
function exported(type: string, options: object, form: string): string {
  // The overloads of `generateKeyPairSync` each take one literal type.
  const { privateKey } = Reflect.apply(generateKeyPairSync, null, [type, options]);
  return privateKey.export({ type: form, format: "der" }).toString("base64");
}

function tokenOf(header: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(claims)}.${"c2ln".repeat(8)}`;
}

/** BIP-39: the entropy and the first bits of its hash, eleven bits per word. */
function phraseOf(entropy: Uint8Array): string[] {
  const bitsOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const check = bitsOf(createHash("sha256").update(entropy).digest()).slice(0, entropy.length / 4);
  const groups = `${bitsOf(entropy)}${check}`.match(/.{11}/g) ?? [];
  return groups.map((bits) => english[Number.parseInt(bits, 2)] ?? "");
}
