"use client";

import { FileUp, ImageUp, X } from "lucide-react";
import { type DragEvent, type InputHTMLAttributes, type ReactNode, useRef, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button, IconButton } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Field } from "@/components/ui/field";
import { bytesText } from "@/components/ui/format-bytes";
import { type Answer, type Failure, uploadTo } from "@/lib/http/client";
import { FILE_BYTES_MAX } from "@/lib/links/files/limits";
import { IMAGE_BYTES_MAX, IMAGE_SIDE_MAX, IMAGE_SIDE_MIN } from "@/lib/links/images/limits";
import { LinkImage } from "./link-image";
import { type LinkForm, useLatestForm } from "./use-link-form";

type FilePickerProps = {
  wiring: InputHTMLAttributes<HTMLInputElement>;
  what: { noun: string; one: string; icon: ReactNode };
  accept?: string;
  isUploading: boolean;
  isChosen: boolean;
  /** The last upload failed. */
  isFaulty: boolean;
  onChoose: (file: File | undefined) => void;
  onContinue: () => void;
  onRemove: () => void;
  /** Of the file that was chosen; empty when it is not shown. */
  name?: string;
  /** After the buttons. */
  children?: ReactNode;
};

/** The buttons that choose, keep and remove an upload. */
function FilePicker({ wiring, what, accept, name = "", children, ...picker }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const { noun, one, icon } = what;
  const { isUploading, isChosen } = picker;
  return (
    <>
      <input
        {...wiring}
        ref={input}
        type="file"
        accept={accept}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          picker.onChoose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <div className="flex flex-wrap items-center gap-2.5">
        <Button size="small" busy={isUploading} onClick={() => input.current?.click()}>
          {icon}
          {isUploading ? "Uploading" : isChosen ? `Choose another ${noun}` : `Choose ${one}`}
        </Button>
        {picker.isFaulty && (
          <Button size="small" onClick={picker.onContinue}>
            {isChosen ? `Keep the ${noun}` : `Continue without ${one}`}
          </Button>
        )}
        {name !== "" && !isUploading && (
          <span className="min-w-0 text-small [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </span>
        )}
        {isChosen && !isUploading && (
          <IconButton label={`Remove the ${noun}`} icon={<X aria-hidden />} onClick={picker.onRemove} />
        )}
        {children}
      </div>
    </>
  );
}

/** The file that a link delivers. Uploaded when chosen; attached to the link when the form is sent. */
export function FileField({ form }: { form: LinkForm }) {
  const { draft, faults } = form;
  const latest = useLatestForm(form);

  async function upload(file: File | undefined) {
    if (!file) return;
    if (file.size > FILE_BYTES_MAX || file.size === 0) {
      const reason = file.size === 0 ? "The file is empty." : `Choose a file of at most ${bytesText(FILE_BYTES_MAX)}.`;
      return latest.current.change({ fileFault: reason });
    }
    // Keep the previous file in case the upload fails.
    const { fileId } = draft;
    latest.current.change({ isUploading: true, fileId, fileFault: "" });
    const response = await uploadTo<Uploaded>(
      `/api/agents/${draft.agentId}/link-files?${new URLSearchParams({ name: file.name })}`,
      file,
    );
    latest.current.change(
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
      hint={`Up to ${bytesText(FILE_BYTES_MAX)}. Only buyers can download it.`}
      error={error}
    >
      {(wiring) => (
        <>
          <FilePicker
            wiring={wiring}
            what={{ noun: "file", one: "a file", icon: <FileUp aria-hidden /> }}
            isUploading={isUploading}
            isChosen={fileId !== ""}
            isFaulty={fileFault !== ""}
            onChoose={(file) => void upload(file)}
            onContinue={() => form.change({ fileId, fileFault: "" })}
            onRemove={() => form.change({ fileId: "", fileName: "", fileFault: "" })}
            name={fileName}
          />
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
  invalid_request: "Rename the file: its name has characters that some systems cannot store.",
  files_full: "Your files and images would exceed your storage. Choose a smaller one.",
  body_too_large: `Choose a file of at most ${bytesText(FILE_BYTES_MAX)}.`,
  file_empty: "The file is empty.",
  unreachable: "The file did not arrive. On a slow connection, choose a smaller one, or try again.",
};

/** The longest side of a redrawn image, in pixels: enough for any screen that shows it. */
const SIDE_MAX = 2_000;
/** Larger ones could need more memory than a phone has. */
const BYTES_MAX = 40_000_000;
const SMALLER = 0.7;
const TRIES = 6;

/**
 * Redraws a photo upright, as a still image of at most `bytesMax` bytes. Photos of cameras are often too large, or rotated by their
 * metadata, which the service refuses. Null if this browser cannot decode the file.
 */
async function redrawn(file: File, bytesMax: number): Promise<Blob | null> {
  if (file.size > BYTES_MAX || !/^image\/(?:jpeg|png|webp|hei[cf])$/.test(file.type)) return null;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  try {
    let scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height));
    for (let attempt = 0; attempt < TRIES; attempt++, scale *= SMALLER) {
      const blob = await draw(bitmap, scale, file.type);
      if (blob && blob.size <= bytesMax) return blob;
    }
    return null;
  } finally {
    bitmap.close();
  }
}

/** PNG and WebP may be transparent, so they become WebP; all else becomes JPEG. A browser that cannot encode WebP writes PNG. */
function draw(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const written = type === "image/png" || type === "image/webp" ? "image/webp" : "image/jpeg";
  return new Promise((resolve) => canvas.toBlob(resolve, written, 0.85));
}

/** The image of a link. Uploaded when chosen or dropped; attached to the link when the form is sent. */
export function ImageField({ form }: { form: LinkForm }) {
  const { draft, faults } = form;
  const [isOver, setOver] = useState(false);
  const [isRedrawn, setRedrawn] = useState(false);
  const latest = useLatestForm(form);

  async function upload(file: File | undefined) {
    if (!file || draft.isImageUploading) return;
    // Keep the previous image in case the upload fails.
    const { imageId } = draft;
    latest.current.change({ isImageUploading: true, imageId, imageFault: "" });
    const response = await send(draft.agentId, file);
    setRedrawn(response.ok && response.isRedrawn);
    latest.current.change(
      response.ok
        ? { isImageUploading: false, imageId: response.data.image.imageId, imageUrl: response.data.image.url }
        : { isImageUploading: false, imageId, imageFault: imageSentence(response) },
    );
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void upload(event.dataTransfer.files[0]);
  }

  const { isImageUploading, imageId, imageUrl, imageFault } = draft;
  const isNew = imageId !== "" && imageId !== form.before.imageId && imageFault === "";
  const statusText = isImageUploading
    ? "Uploading the image"
    : isNew
      ? isRedrawn
        ? FITTED
        : "The image is uploaded."
      : "";
  const error = imageFault === "" ? faults.imageId : imageFault;
  return (
    <Field
      label="Image"
      aside="Optional"
      hint={`A still PNG, JPEG or WebP of up to ${bytesText(IMAGE_BYTES_MAX)}. Buyers see it before they pay. We remove location data.`}
      error={error}
    >
      {(wiring) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button in it works with every input
        <div
          data-drop-zone
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={cx(
            "grid gap-3 rounded-control border border-dashed p-3",
            isOver ? "border-brand bg-sunk" : "border-line-2",
          )}
        >
          {imageUrl !== "" && (
            <LinkImage
              image={{ url: imageUrl, alt: "" }}
              words="The image that buyers see"
              className="max-w-75"
              // The service checks only the structure of a file. Only the browser decodes its pixels.
              onError={isNew ? () => form.change({ imageId: "", imageUrl: "", imageFault: DAMAGED }) : undefined}
            />
          )}
          <FilePicker
            wiring={wiring}
            what={{ noun: "image", one: "an image", icon: <ImageUp aria-hidden /> }}
            accept="image/png,image/jpeg,image/webp"
            isUploading={isImageUploading}
            isChosen={imageId !== ""}
            isFaulty={imageFault !== ""}
            onChoose={(file) => void upload(file)}
            onContinue={() => form.change({ imageId, imageFault: "" })}
            onRemove={() => form.change({ imageId: "", imageUrl: "", imageFault: "" })}
          >
            <span className="text-small text-ink-2 max-sm:hidden">or drop one here</span>
          </FilePicker>
          <span role="status" className={cx(statusText === "" ? "sr-only" : "text-small text-ink-2")}>
            {statusText}
          </span>
        </div>
      )}
    </Field>
  );
}

const FITTED = "The image was reduced to the allowed size and uploaded.";

type UploadedImage = { image: { imageId: string; url: string } };

type Sent = { ok: true; data: UploadedImage; isRedrawn: boolean };

/** Uploads an image. A photo that is too large or rotated by its metadata is redrawn and uploaded again. */
async function send(agentId: string, file: File): Promise<Failure | Sent> {
  const post = (image: Blob) => uploadTo<UploadedImage>(`/api/agents/${agentId}/link-images`, image);
  const first = file.size > IMAGE_BYTES_MAX ? TOO_LARGE : await post(file);
  if (first.ok) return { ...first, isRedrawn: false };
  const canHelp = first === TOO_LARGE || REDRAWN.has(reasonOf(first));
  const smaller = canHelp ? await redrawn(file, IMAGE_BYTES_MAX) : null;
  if (!smaller) return first;
  const second = await post(smaller);
  return second.ok ? { ...second, isRedrawn: true } : second;
}

const TOO_LARGE: Answer<UploadedImage> & Failure = { ok: false, status: 413, code: "body_too_large", message: "" };
const REDRAWN = new Set(["rotated", "too_large"]);
const reasonOf = ({ details }: Failure): string => String(details?.reason);

const imageSentence = (failure: Failure): string =>
  (failure.code === "image_invalid" ? REASONS[reasonOf(failure)] : IMAGE_SENTENCES[failure.code]) ??
  sentenceFor(failure);

const DAMAGED = "The file is damaged or incomplete. Choose another one.";

const REASONS: Readonly<Record<string, string>> = {
  type: "Choose a PNG, JPEG or WebP. This file has another format, even if its name ends like one.",
  damaged: DAMAGED,
  animated: "The image is animated. Choose one that is not.",
  rotated: "The image is rotated by its metadata. Rotate it in an image editor, and choose it again.",
  too_small: `The image is too small. Each side needs at least ${IMAGE_SIDE_MIN} pixels.`,
  too_large: `The image is too large. Each side can have at most ${IMAGE_SIDE_MAX} pixels.`,
};

const IMAGE_SENTENCES: Record<string, string> = {
  body_too_large: `Choose an image of at most ${bytesText(IMAGE_BYTES_MAX)}.`,
  files_full: "Your files and images would exceed your storage. Choose a smaller one.",
  unreachable: "The image did not arrive. On a slow connection, choose a smaller one, or try again.",
};
