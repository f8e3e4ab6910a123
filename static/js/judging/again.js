// A script that did not arrive is asked for, with its imports, until the page can begin anew.
// Not a module: it is to hear of them.
{
  const EVERY_MS = 2000;
  const LATE_MS = 10_000;
  let isTrying = false;

  const told = document.getElementById("not-saved");
  const say = (sentence) => {
    [told.textContent, told.hidden] = [sentence, !sentence];
    document.getElementById("live").textContent = sentence;
  };

  const arrived = async (address, asked = new Set()) => {
    if (asked.has(address)) return;
    asked.add(address);
    const response = await fetch(address);
    if (!response.ok) throw new Error(address, { cause: response.status });
    for (const [, name] of (await response.text()).matchAll(/^(?:import|\}).* from "(\..*)";$/gm))
      await arrived(new URL(name, address).href, asked);
  };

  const again = (address) => {
    if (isTrying) return;
    isTrying = true;
    say("The server cannot be reached. Trying again.");
    const later = () => setTimeout(ask, EVERY_MS);
    const failed = ({ cause }) => {
      if (cause === 404) say("The site has changed: load this page again.");
      else later();
    };
    const ask = () => arrived(address).then(() => location.reload(), failed);
    later();
  };

  // A browser waits for minutes, and no key is heard meanwhile.
  setTimeout(() => {
    if (document.readyState === "complete" || isTrying) return;
    const late = "The server does not answer: the page is not ready. Loading it again may help.";
    say(late);
    addEventListener("load", () => told.textContent === late && say(""));
  }, LATE_MS);

  addEventListener("error", ({ target }) => target.src && again(target.src), true);
  document.addEventListener("script:missing", ({ detail }) => again(detail));
}
