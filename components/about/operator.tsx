/** The operator of the service. Fields are null if not configured. Contacts are URLs. */
export type Operator = { name: string | null; contact: string | null; securityContact: string | null; host: string };

/** The operator's name, or a description with the host. */
export const operatorName = ({ name, host }: Operator): string => name ?? `the operator of ${host}`;

/** A contact link whose text is its target. */
export const ContactLink = ({ contact }: { contact: string }) => (
  <a href={contact} rel="noreferrer" className="underline underline-offset-4 [overflow-wrap:anywhere]">
    {contact.replace(/^mailto:/, "")}
  </a>
);

/** How to reach the operator, or a note that no contact is published. */
export const ReachOperator = ({ operator }: { operator: Operator }) =>
  operator.contact === null ? (
    <>The operator of this service has not published a contact address.</>
  ) : (
    <>
      Write to <ContactLink contact={operator.contact} />.
    </>
  );
