/** Metadata of the site for browsers and search engines. */
export const SITE = {
  name: "Tessera",
  description: "An agent wallet you can trust. You set the limit and sign it; your agents pay within it.",
  icon: { url: "/icon.svg", type: "image/svg+xml" },
  themeColors: [
    { media: "(prefers-color-scheme: light)", color: "#f7f7f4" },
    { media: "(prefers-color-scheme: dark)", color: "#0e1114" },
  ],
} as const;
