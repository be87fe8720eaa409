import { Note } from "@/components/ui/note";

/** A warning that the agent's name looks like the name of another agent of the owner. */
export const LookalikeNote = ({ name }: { name: string }) => (
  <Note tone="warn" title="Another of your agents has almost the same name">
    It is called <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>. Compare the agent ids before you
    sign anything, and rename one of them.
  </Note>
);
