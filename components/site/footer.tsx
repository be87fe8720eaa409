const GROUPS = [
  {
    title: "Product",
    links: [
      { href: "/dashboard", label: "Dashboard" },
      { href: "/firewall", label: "Firewall" },
      { href: "/identity", label: "Agent identity" },
      { href: "/status", label: "Status" },
    ],
  },
  {
    title: "Developers",
    links: [
      { href: "/docs", label: "Docs" },
      { href: "/docs/quickstart", label: "Quickstart" },
      { href: "/docs/reference", label: "API" },
      { href: "/llms.txt", label: "For language models" },
    ],
  },
  {
    title: "Trust",
    links: [
      { href: "/docs/trust", label: "Who can lose what" },
      { href: "/security", label: "Security contact" },
      { href: "/terms", label: "Terms" },
      { href: "/privacy", label: "Privacy" },
    ],
  },
] as const;

/** The links at the end of public pages. Plain links: the front page has no router. */
export const Footer = () => (
  <footer className="border-t" data-print="no">
    <nav
      aria-label="Footer"
      className="mx-auto grid w-full max-w-280 grid-cols-2 gap-x-6 gap-y-5 px-5 pt-6 pb-10 sm:grid-cols-3"
    >
      {GROUPS.map(({ title, links }) => (
        <section key={title} aria-label={title}>
          <p className="text-tiny font-medium text-ink-2">{title}</p>
          <ul className="mt-1">
            {links.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  className="inline-flex min-h-8 items-center text-small text-ink-2 no-underline hover:text-ink hover:underline max-sm:min-h-11"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  </footer>
);
