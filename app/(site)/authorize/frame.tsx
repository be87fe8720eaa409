import type { ReactNode } from "react";
import { Elsewhere, LinkStage, SignInStage } from "@/components/authorize/stages";
import { Stage } from "@/components/site/stage";
import type { PageContext } from "../context";
import { FocusedPage } from "../focused-page";

/** One state of a page. Screen readers read `said` when the page enters the state. */
export type Shown = {
  stage: string;
  said: string;
  content: ReactNode;
  /** True if the content has one column: there is nothing to decide. */
  isNarrow?: boolean;
};

export type AuthorizePageProps = { ctx: PageContext; shown: Shown; children?: ReactNode };

/** The frame of every page on which an owner decides. */
export const AuthorizePage = ({
  ctx,
  shown: { stage, said: announcement, content, isNarrow = false },
  children,
}: AuthorizePageProps) => (
  <FocusedPage ctx={ctx} width={isNarrow ? "narrow" : "wide"} isShort>
    <Stage name={stage} said={announcement}>
      {content}
    </Stage>
    {children}
  </FocusedPage>
);

export type SearchParams = Promise<{ token?: string | string[] }>;

/** The token at the end of a link that an agent shows. */
export async function tokenOf(searchParams: SearchParams): Promise<string | undefined> {
  const { token } = await searchParams;
  return typeof token === "string" && token !== "" ? token : undefined;
}

export type Request = {
  thing: "payment" | "payout";
  /** The agent's name, which is untrusted text. */
  asker: ReactNode;
  title: ReactNode;
  agentName: string;
  /** The account of the agent's owner. */
  owner: string | null;
  /** The API path of the request. An action appends one segment. */
  path: `/api/${string}`;
  card: ReactNode;
};

/** The page states in which the owner cannot decide yet. */
export function beforeDeciding(
  nextStep: "sign_in" | "claim" | "linked_elsewhere",
  { thing, asker, title, agentName, owner, path, card }: Request,
  token: string | undefined,
): Shown {
  switch (nextStep) {
    case "sign_in": {
      const content = (
        <SignInStage asker={asker} title={title}>
          {card}
        </SignInStage>
      );
      return { stage: "sign-in", said: "", content };
    }
    case "claim": {
      const paths = { claimPath: `${path}/claim`, rejectPath: `${path}/deny` } as const;
      const content = (
        <LinkStage thing={thing} asker={asker} {...paths} token={token} agentName={agentName}>
          {card}
        </LinkStage>
      );
      return { stage: "link", said: "Link the agent first", content };
    }
    case "linked_elsewhere":
      return {
        stage: "elsewhere",
        said: "",
        content: <Elsewhere thing={thing} asker={asker} owner={owner} />,
        isNarrow: true,
      };
    default:
      return nextStep satisfies never;
  }
}
