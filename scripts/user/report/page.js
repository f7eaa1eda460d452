"use strict";
// The page: which pairs are shown in all plots, and the tables below them.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

const page = {
  visible: new Set(data.pairs.filter((pair) => pair.shown).map((pair) => pair.name)),
  bands: true,
  cut: true,
  charts: [],

  linked(chart) {
    return this.charts.filter((other) => other.spec.xSymbol === chart.spec.xSymbol);
  },
  zoom(chart, range) {
    for (const other of this.linked(chart)) other.setRange(range);
    if (chart.cursor !== null) chart.showTooltip();
  },
  point(chart, x) {
    for (const other of this.linked(chart)) other.pointAt(x);
    if (x !== null) chart.showTooltip();
  },
  say(text) { byId("reading").textContent = text; },
  draw() {
    for (const button of byId("pairs").children) {
      button.setAttribute("aria-pressed", this.visible.has(button.dataset.pair));
    }
    byId("bands").setAttribute("aria-pressed", this.bands);
    byId("cut").setAttribute("aria-pressed", this.cut);
    this.charts.forEach((chart) => chart.draw());
  },
};

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function addPairButtons() {
  for (const pair of data.pairs) {
    const button = element("button");
    button.type = "button";
    button.dataset.pair = pair.name;
    const sample = svgElement("svg", {width: 26, height: 10, "aria-hidden": "true"});
    sample.append(svgElement("line", {x1: 1, x2: 25, y1: 5, y2: 5, "stroke-width": 3,
      style: `stroke: var(--curve${pair.colour})`, "stroke-dasharray": DASHES[pair.dash]}));
    button.append(sample, element("span", pair.name));
    button.addEventListener("click", (event) => {
      if (event.shiftKey) page.visible = new Set([pair.name]);
      else if (!page.visible.delete(pair.name)) page.visible.add(pair.name);
      page.draw();
    });
    byId("pairs").append(button);
  }
}

/** Of many pairs only the buttons whose names have the text. */
function addFilter() {
  const filter = byId("filter"), few = 20;
  filter.hidden = data.pairs.length <= few;
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const button of byId("pairs").children) {
      button.hidden = !button.dataset.pair.toLowerCase().includes(wanted);
    }
  });
}

function addSwitches() {
  const onClick = (id, action) => byId(id).addEventListener("click", () => { action(); page.draw(); });
  onClick("all", () => { page.visible = new Set(data.pairs.map((pair) => pair.name)); });
  onClick("none", () => page.visible.clear());
  onClick("bands", () => { page.bands = !page.bands; });
  onClick("cut", () => { page.cut = !page.cut; });
  onClick("reset", () => page.charts.forEach((chart) => { chart.range = [...chart.full]; }));
  byId("bands").hidden = !data.charts.some((chart) => chart.curves.some((curve) => curve.error));
  byId("cut").hidden = !data.charts.some((chart) => chart.curves.some((curve) => curve.cutBelow));
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").setAttribute("aria-pressed", dark);
  byId("theme").textContent = dark ? "Light" : "Dark";
  page.draw();
}

function addTable(section, heading, columns, rows) {
  const scroll = element("div", "", "scroll"), table = element("table", "", "wide");
  scroll.tabIndex = 0; // for the arrow keys
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", heading);
  const head = table.createTHead().insertRow();
  for (const column of columns) head.append(element("th", column));
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((content, k) => {
      const cell = line.insertCell();
      cell.dataset.column = columns[k]; // its label on a narrow page
      cell.append(content instanceof Node ? content : element("span", content));
    });
  }
  scroll.append(table);
  section.append(element("h2", heading), scroll);
}

function share(part) {
  const cell = element("span"), bar = element("span", "", "bar"), fill = document.createElement("i");
  fill.style.width = `${Math.min(100, 100 * part)}%`;
  bar.append(fill);
  cell.append(bar, `${(100 * part).toFixed(1)} %`);
  return cell;
}

/** Fills the section of a table of `data` with its note; removes it if the table is empty. */
function addFound(id) {
  const found = data[id];
  if (!found.rows.length) return byId(id).remove();
  addTable(byId(id), found.heading, found.columns, found.rows);
  byId(id).append(element("p", found.note, "note"));
}

function addWorkers() {
  const run = data.run, section = byId("workers");
  if (!run && !data.runNote) return section.remove();
  if (!run) {
    section.append(element("h2", "Workers"), element("p", data.runNote, "note"));
    return;
  }
  const pairs = run.workers.reduce((sum, worker) => sum + worker.pairs, 0) || 1;
  addTable(section, "Workers", ["worker", "share of the pairs", "busy", "tasks", "10⁹ pairs/s while busy"],
    run.workers.map((worker) => [worker.device ? `${worker.name} (${worker.device})` : worker.name,
      share(worker.pairs / pairs), share(run.seconds > 0 ? worker.busy_seconds / run.seconds : 0),
      worker.tasks.toLocaleString("en"),
      worker.busy_seconds > 0 ? (1e-9 * worker.pairs / worker.busy_seconds).toFixed(2) : "–"]));
  section.append(element("p", run.sentence, "note"));
}

function addProvenance() {
  const details = document.createElement("details");
  details.open = true;
  details.append(element("summary", "How this was made"));
  const table = element("table", "", "facts");
  for (const [name, value] of data.provenance) {
    const row = table.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  details.append(table);
  byId("provenance").append(details);
}

byId("facts").textContent = data.facts;
byId("footer").textContent = data.footer;
addPairButtons();
addFilter();
addSwitches();
for (const spec of data.charts) {
  const chart = new Chart(spec, page);
  page.charts.push(chart);
  byId("charts").append(chart.box);
}
for (const note of data.notes) byId("charts").append(element("p", note, "note"));
addFound("sizes");
addFound("peaks");
addWorkers();
addProvenance();
byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));
const preference = matchMedia("(prefers-color-scheme: dark)");
preference.addEventListener("change", () => setTheme(preference.matches));
setTheme(preference.matches);
