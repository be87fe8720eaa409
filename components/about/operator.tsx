/** Who runs the service, as far as they said so. A contact is a URL. */
export type Operator = { name: string | null; contact: string | null; securityContact: string | null; host: string };

/** The operator's name; without one, the host. */
export const operatorName = ({ name, host }: Operator): string => name ?? `the operator of ${host}`;

/** A contact as a link that shows where it leads. */
export const ContactLink = ({ contact }: { contact: string }) => (
  <a href={contact} rel="noreferrer" className="underline underline-offset-4 [overflow-wrap:anywhere]">
    {contact.replace(/^mailto:/, "")}
  </a>
);

/** How to reach the operator, or that they named no way. */
export const ReachOperator = ({ operator }: { operator: Operator }) =>
  operator.contact === null ? (
    <>The operator of this service has not published a contact address.</>
  ) : (
    <>
      Write to <ContactLink contact={operator.contact} />.
    </>
  );
