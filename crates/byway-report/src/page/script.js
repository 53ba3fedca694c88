"use strict";
(() => {
  const list = document.getElementById("list");
  const filter = document.getElementById("filter");
  const sort = document.getElementById("sort");
  const shown = document.getElementById("shown");
  const items = [...list.children];
  const texts = new Map(items.map((item) => [item, item.querySelector("summary").textContent.toLowerCase()]));
  const checked = (name) => [...document.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value);
  const visible = () => [...list.children].filter((item) => !item.hidden);

  // Words of the filter must all be there: in the line of a result, or in what it unfolds to.
  function update() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const levels = checked("level");
    const asides = checked("aside").length > 0;
    let count = 0;
    for (const item of items) {
      const fits = words.every((word) => texts.get(item).includes(word) || item.id.includes(word));
      item.hidden = !(fits && levels.includes(item.dataset.level) && (asides || item.dataset.aside !== "true"));
      count += !item.hidden;
    }
    shown.textContent = `${count} of ${items.length} shown`;
  }

  function reorder() {
    const key = sort.value;
    const number = key === "order" || key === "seconds";
    const value = (item) => (number ? Number(item.dataset[key]) : item.dataset[key]);
    const by = (one, other) => (value(one) < value(other) ? -1 : value(one) > value(other) ? 1 : one.dataset.order - other.dataset.order);
    list.append(...items.slice().sort(by));
  }

  // What a result unfolds to is made when it is unfolded.
  function unfold(details) {
    const template = details.querySelector(":scope > template");
    if (template) template.replaceWith(template.content);
  }

  // A link to a file, or to a line of it, shows its source.
  function follow() {
    const [name, line] = location.hash.slice(1).split(".L");
    const file = document.querySelector(".files")?.querySelector(":scope > details[id='" + CSS.escape(name) + "']");
    if (!file) return followResult();
    unfold(file);
    file.open = true;
    document.querySelectorAll(".line.target").forEach((line) => line.classList.remove("target"));
    const target = file.querySelector("pre.lines")?.children[Number(line) - 1];
    target?.classList.add("target");
    (target ?? file).scrollIntoView({ block: target ? "center" : "start" });
    file.querySelector("summary").focus({ preventScroll: true });
  }

  // A link to a result unfolds it, also if the filter hides it.
  function followResult() {
    const item = items.find((item) => "#" + item.id === location.hash);
    if (!item) return;
    item.hidden = false;
    unfold(item.querySelector("details"));
    item.querySelector("details").open = true;
    item.scrollIntoView();
    item.querySelector("summary").focus({ preventScroll: true });
  }

  function move(step) {
    const all = visible();
    const at = all.findIndex((item) => item.contains(document.activeElement));
    const next = all[Math.min(Math.max(at + step, 0), all.length - 1)];
    if (next) next.querySelector("summary").focus();
  }

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = ["INPUT", "SELECT"].includes(document.activeElement.tagName) && document.activeElement.type !== "checkbox";
    if (typing) {
      if (event.key === "Escape") document.activeElement.blur();
      return;
    }
    if (event.key === "/") {
      event.preventDefault();
      filter.focus();
    } else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "x") {
      const all = visible().map((item) => item.querySelector("details"));
      const open = !all.some((details) => details.open);
      all.forEach((details) => (details.open = open));
    }
  }

  document.querySelector(".files")?.addEventListener("toggle", (event) => unfold(event.target), true);
  addEventListener("hashchange", follow);
  if (filter) {
    filter.form.addEventListener("submit", (event) => event.preventDefault());
    filter.form.addEventListener("input", update);
    sort.addEventListener("change", reorder);
    document.addEventListener("keydown", press);
    list.addEventListener("toggle", (event) => unfold(event.target), true);
    update();
  }
  follow();
})();
