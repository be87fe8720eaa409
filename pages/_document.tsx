import Document, { type DocumentContext, Head, Html, Main, NextScript } from "next/document";

/** The document of the pages in this folder. */
export default class PlainDocument extends Document<{ nonce: string | undefined }> {
  static override async getInitialProps(ctx: DocumentContext) {
    const nonce = ctx.req?.headers["x-nonce"];
    return { ...(await Document.getInitialProps(ctx)), nonce: typeof nonce === "string" ? nonce : undefined };
  }

  override render() {
    const { nonce } = this.props;
    return (
      <Html lang="en">
        <Head {...(nonce !== undefined && { nonce })}>
          {/* Not deferred: it chooses the theme before the first paint. */}
          <script src="/home.js" nonce={nonce} />
        </Head>
        <body>
          <Main />
          <NextScript {...(nonce !== undefined && { nonce })} />
        </body>
      </Html>
    );
  }
}
