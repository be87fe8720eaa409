"use client";

import { Bookmark, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { sentenceFor } from "@/components/dashboard/words";
import { Button, IconButton } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Menu } from "@/components/ui/menu";
import { NameDialog } from "@/components/ui/name-dialog";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { Filters, ViewedList } from "@/lib/saved-views/rules";

export type SavedViewsProps = {
  list: ViewedList;
  /** `href`: the list with the view's filters. */
  views: readonly { viewId: string; name: string; href: string; isCurrent: boolean }[];
  /** The filters of the list as it is. */
  filters: Filters;
};

type Asking = "save" | "rename" | "delete";

/** The owner's views of a list. Filters that are no view yet can be saved, and the view that is shown renamed or deleted. */
export function SavedViews({ list, views, filters }: SavedViewsProps) {
  const router = useRouter();
  const [asking, setAsking] = useState<Asking>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const hasActed = useRef(false);

  // What had the focus may be gone: the button that saved, or the menu of a view that was deleted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the list has other views
  useEffect(() => {
    if (!hasActed.current) return;
    hasActed.current = false;
    if (document.activeElement !== document.body) return;
    const shown = box.current?.querySelector<HTMLElement>("a[aria-current]") ?? document.getElementById("main");
    shown?.focus({ preventScroll: true });
  }, [views]);

  const current = views.find(({ isCurrent }) => isCurrent);
  const canSave = !current && Object.keys(filters).length > 0;
  if (views.length === 0 && !canSave) return null;

  function open(next: Asking | undefined) {
    setFailure(undefined);
    setAsking(next);
  }

  async function name(given: string) {
    setBusy(true);
    const answer = current
      ? await callApi("PATCH", `/api/wallet/views/${current.viewId}`, { name: given })
      : await callApi("POST", "/api/wallet/views", { list, name: given, filters });
    setBusy(false);
    if (!answer.ok) return setFailure(sentenceFor(answer));
    open(undefined);
    hasActed.current = true;
    toast.success(current ? "View renamed" : "View saved");
    router.refresh();
  }

  async function remove(viewId: string): Promise<string | undefined> {
    const answer = await callApi("DELETE", `/api/wallet/views/${viewId}`);
    if (!answer.ok && answer.code !== "view_not_found") return sentenceFor(answer);
    hasActed.current = true;
    toast.success("View deleted");
    router.refresh();
    return undefined;
  }

  return (
    <div ref={box} className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      {views.length > 0 && (
        <FilterLinks
          label="Saved views"
          options={views.map(({ viewId, name, href, isCurrent }) => ({ id: viewId, label: name, href, isCurrent }))}
        />
      )}
      {current && (
        <Menu
          align="start"
          trigger={<IconButton label={`Change the view ${current.name}`} icon={<Ellipsis aria-hidden />} />}
          items={[
            { label: "Rename", icon: <Pencil aria-hidden />, onSelect: () => open("rename") },
            { label: "Delete", icon: <Trash2 aria-hidden />, tone: "danger", onSelect: () => open("delete") },
          ]}
        />
      )}
      {canSave && (
        <Button size="small" variant="quiet" onClick={() => open("save")}>
          <Bookmark aria-hidden />
          Save view
        </Button>
      )}
      {(asking === "save" || asking === "rename") && (
        <NameDialog
          title={asking === "save" ? "Save this view" : "Rename the view"}
          description="The filters of this list, under a name. Only you see it, on every device."
          name={current?.name ?? ""}
          save={name}
          isBusy={isBusy}
          failure={failure}
          close={() => open(undefined)}
        />
      )}
      {current && (
        <Confirm
          open={asking === "delete"}
          onOpenChange={() => open(undefined)}
          title="Delete this view?"
          verb="Delete view"
          onConfirm={() => remove(current.viewId)}
        >
          <bdi>{current.name}</bdi> is deleted. The payments and their records stay as they are.
        </Confirm>
      )}
    </div>
  );
}
