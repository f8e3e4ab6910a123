// Modules that come once they are wanted.
const failed = new Map();

// One that did not arrive stays failed under its address, so it has another the next time.
export async function bring(name) {
  const n = failed.get(name) ?? 0;
  try {
    return await import(n ? `${name}?again=${n}` : name);
  } catch (error) {
    failed.set(name, n + 1);
    throw error;
  }
}

// One without which the page does nothing: if it cannot be had now, the page begins anew with it.
export async function need(name) {
  try {
    return await import(name);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const detail = new URL(name, import.meta.url).href;
    document.dispatchEvent(new CustomEvent("script:missing", { detail }));
    return new Promise(() => {});
  }
}
