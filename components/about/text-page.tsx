import type { ReactNode } from "react";
import { PageHeader } from "@/components/ui/page-header";

export type TextPageProps = { title: string; description: ReactNode; children: ReactNode };

/** The layout of a page of prose. */
export const TextPage = ({ title, description, children }: TextPageProps) => (
  <>
    <PageHeader title={title} description={description} />
    <div className="grid gap-7">{children}</div>
  </>
);

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-2 [&_a]:underline [&_a]:underline-offset-4 [&_li]:measure [&_ol]:list-decimal [&_ol]:pl-5 [&_p]:measure [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1.5 [&_ul]:pl-5">
    <h2 className="text-body">{title}</h2>
    <div className="grid gap-2 text-control text-ink-2">{children}</div>
  </section>
);
