// Shows notices that the service pushes, and opens their page. It stores nothing and answers no requests.

const HOME = "/dashboard";

/** A notice, whatever came: browsers require that each push is shown. */
function noticeIn(data) {
  try {
    const { title, text, path, tag } = data.json();
    return { title: String(title), text: String(text), path: String(path), tag: String(tag) };
  } catch {
    return { title: "Tessera", text: "Something happened in your account.", path: HOME, tag: "other" };
  }
}

/** Of this site only. */
function urlOf(path) {
  const { origin } = self.location;
  const url = URL.canParse(path, origin) ? new URL(path, origin) : null;
  return url?.origin === origin ? url.href : new URL(HOME, origin).href;
}

self.addEventListener("push", (event) => {
  const { title, text, path, tag } = noticeIn(event.data);
  const options = { body: text, tag, icon: "/icon.svg", data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url === url);
  if (there) await there.focus();
  // Never in a page that is open: something may be half done there.
  else await self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(urlOf(event.notification.data?.path ?? HOME)));
});
