/** Starts the download of a file. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started when click() returns, but its bytes are read later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a CSV file. Without a byte order mark, Excel reads UTF-8 in the system's legacy code page. */
export const saveCsv = (name: string, text: string): void =>
  saveFile(name, new Blob([`\ufeff${text}`], { type: "text/csv;charset=utf-8" }));
