import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";

/** Shown on the signing page of a mandate that continues another one. */
export const MoveNote = ({ replaces }: { replaces: string }) => (
  <Note
    tone="info"
    title="It takes over what is left of a mandate"
    actions={
      <ButtonLink size="small" href={`/mandates/${replaces}`}>
        See that mandate
      </ButtonLink>
    }
  >
    Your signature ends that mandate and starts this one: together they never allow more than you signed before.
    Payments it has signed may still leave your spending wallet, and are not part of this limit. Until you sign, nothing
    changes. If your agent pays in the meantime, less is left and the signature is refused: move it again, or pause that
    mandate first.
  </Note>
);

/** Shown on the page of a mandate that was continued by another one. */
export const MovedNote = ({ replacedBy }: { replacedBy: string }) => (
  <Note
    tone="info"
    title="The rest moved to a vault"
    actions={
      <ButtonLink size="small" variant="primary" href={`/mandates/${replacedBy}`}>
        See the mandate with the vault
      </ButtonLink>
    }
  >
    You signed that mandate in its place. This one makes no new payments.
  </Note>
);
