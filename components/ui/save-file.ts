/** Hands a file of this name to the browser. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun when the click returns; its bytes are read a little later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The same for CSV. Without a byte order mark Excel takes UTF-8 for the machine's old code page. */
export const saveCsv = (name: string, text: string): void =>
  saveFile(name, new Blob([`\ufeff${text}`], { type: "text/csv;charset=utf-8" }));
