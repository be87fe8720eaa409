"use client";

import { FileUp, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button, IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { bytesText } from "@/components/ui/format-bytes";
import { uploadTo } from "@/lib/http/client";
import { FILE_BYTES_MAX } from "@/lib/links/files/limits";
import type { LinkForm } from "./use-link-form";

/** The file that a link delivers. Uploaded when chosen; attached to the link when the form is sent. */
export function FileField({ form }: { form: LinkForm }) {
  const { draft, faults } = form;
  const input = useRef<HTMLInputElement>(null);
  // The latest `form.change`: the person keeps typing during an upload.
  const change = useRef(form.change);
  useEffect(() => {
    change.current = form.change;
  }, [form.change]);

  async function upload(file: File | undefined) {
    if (!file) return;
    if (file.size > FILE_BYTES_MAX || file.size === 0) {
      const reason = file.size === 0 ? "The file is empty." : `Choose a file of at most ${bytesText(FILE_BYTES_MAX)}.`;
      return change.current({ fileFault: reason });
    }
    // Keep the previous file in case the upload fails.
    const { fileId } = draft;
    change.current({ isUploading: true, fileId, fileFault: "" });
    const response = await uploadTo<Uploaded>(
      `/api/agents/${draft.agentId}/link-files?${new URLSearchParams({ name: file.name })}`,
      file,
    );
    change.current(
      response.ok
        ? { isUploading: false, fileId: response.data.file.fileId, fileName: file.name }
        : { isUploading: false, fileId, fileFault: SENTENCES[response.code] ?? sentenceFor(response) },
    );
  }

  const { isUploading, fileId, fileName, fileFault } = draft;
  const error = fileFault === "" ? faults.fileId : fileFault;
  return (
    <Field
      label="File"
      aside="Optional"
      hint={`Up to ${bytesText(FILE_BYTES_MAX)}. Only buyers can download it, after they pay.`}
      error={error}
    >
      {(wiring) => (
        <>
          <input
            {...wiring}
            ref={input}
            type="file"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              void upload(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
          <div className="flex flex-wrap items-center gap-2.5">
            <Button size="small" busy={isUploading} onClick={() => input.current?.click()}>
              <FileUp aria-hidden />
              {isUploading ? "Uploading" : fileId === "" ? "Choose a file" : "Choose another file"}
            </Button>
            {fileFault !== "" && (
              <Button size="small" onClick={() => form.change({ fileId, fileFault: "" })}>
                {fileId === "" ? "Continue without a file" : "Keep the file"}
              </Button>
            )}
            {fileName !== "" && !isUploading && (
              <span className="min-w-0 text-small [overflow-wrap:anywhere]">
                <bdi>{fileName}</bdi>
              </span>
            )}
            {fileId !== "" && !isUploading && (
              <IconButton
                label="Remove the file"
                icon={<X aria-hidden />}
                onClick={() => form.change({ fileId: "", fileName: "", fileFault: "" })}
              />
            )}
          </div>
          <span role="status" className="sr-only">
            {isUploading ? "Uploading the file" : fileId === "" || fileFault !== "" ? "" : "The file is uploaded"}
          </span>
        </>
      )}
    </Field>
  );
}

type Uploaded = { file: { fileId: string } };

const SENTENCES: Record<string, string> = {
  invalid_request: "Rename the file: its name has characters that not every system can store.",
  files_full: "Your files and images would exceed your storage. Choose a smaller one.",
  body_too_large: `Choose a file of at most ${bytesText(FILE_BYTES_MAX)}.`,
  file_empty: "The file is empty.",
  unreachable: "The file did not arrive. On a slow connection, choose a smaller one, or try again.",
};
