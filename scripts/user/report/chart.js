"use strict";
// One plot: curves over a common axis, with shades of one standard error, zoom and cursor.
// Colours are written into the SVG, so that it is whole when it is saved on its own.

const MARGIN = {left: 58, right: 18, top: 14, bottom: 46};
const DASHES = ["", "7 4", "8 3 2 3", "2 3"];

function svgElement(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/** Round numbers in [low, high], about `wanted` of them. */
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    found.push({value: k * step, label: (k * step).toFixed(digits)});
  }
  return found;
}

function shortNumber(value) {
  return value === null ? "–" : Number(value.toPrecision(4)).toString();
}

class Chart {
  /** spec: {id, title, xSymbol, xUnit, yLabel, x, xEnd, curves: [{pair, label, colour, dash, y, error,
      cutBelow, yLimit}], reference, note, height}; page: what is shown, and callbacks. */
  constructor(spec, page) {
    this.spec = spec;
    this.page = page;
    this.full = [Math.min(0, spec.x[0]), spec.xEnd];
    this.range = [...this.full];
    this.cursor = null;
    this.box = document.createElement("section");
    this.box.className = "card chart";
    this.box.id = spec.id;
    const head = document.createElement("div");
    head.className = "head";
    const title = document.createElement("h2");
    title.textContent = spec.title;
    head.append(title, this.saveButton("SVG"), this.saveButton("PNG"));
    this.svg = svgElement("svg", {class: "plot", tabindex: 0, role: "img"});
    this.tooltip = document.createElement("div");
    this.tooltip.className = "tooltip";
    this.box.append(head, this.svg, this.tooltip);
    if (spec.note) {
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = spec.note;
      this.box.append(note);
    }
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  get shown() {
    return this.spec.curves.filter((curve) => this.page.visible.has(curve.pair));
  }

  get width() { return Math.max(320, this.box.clientWidth - 24); }
  get plotWidth() { return this.width - MARGIN.left - MARGIN.right; }
  get plotHeight() { return this.spec.height - MARGIN.top - MARGIN.bottom; }
  px(x) { return MARGIN.left + (x - this.range[0]) / (this.range[1] - this.range[0]) * this.plotWidth; }
  py(y) { return MARGIN.top + (1 - (y - this.low) / (this.high - this.low)) * this.plotHeight; }
  xAt(px) { return this.range[0] + (px - MARGIN.left) / this.plotWidth * (this.range[1] - this.range[0]); }

  /** First and one past the last point in the zoomed range, with a neighbour on either side. */
  points() {
    const x = this.spec.x;
    let first = x.findIndex((value) => value >= this.range[0]);
    let last = x.findIndex((value) => value > this.range[1]);
    first = Math.max(0, (first < 0 ? x.length : first) - 1);
    last = last < 0 ? x.length : Math.min(x.length, last + 1);
    return [first, last];
  }

  chooseHeights() {
    const [first, last] = this.points();
    let low = 0, high = 0;
    for (const curve of this.shown) {
      // Peaks of bonded neighbours flatten everything else; where nothing else is seen, they stay.
      let from = this.page.cut ? Math.max(first, curve.cutBelow || 0) : first;
      if (from >= last - 1) from = first;
      let top = 0;
      for (let k = from; k < last; ++k) {
        const y = curve.y[k];
        if (y === null) continue;
        const e = this.page.bands && curve.error ? curve.error[k] || 0 : 0;
        top = Math.max(top, y + e);
        low = Math.min(low, y - (y < 0 ? e : 0));
      }
      const whole = this.range[0] === this.full[0] && this.range[1] === this.full[1];
      high = Math.max(high, whole && curve.yLimit ? Math.min(top, curve.yLimit) : top);
    }
    if (high <= low) high = low + 1;
    this.low = low < 0 ? low * 1.08 : 0;
    this.high = high * 1.08;
  }

  draw() {
    this.chooseHeights();
    const {width, spec, svg} = this;
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${spec.height}`);
    svg.setAttribute("height", spec.height);
    svg.setAttribute("font-family", "system-ui, 'Liberation Sans', Arial, sans-serif");
    svg.setAttribute("aria-label", `${spec.title}. ${this.shown.length} curves shown: ` +
      this.shown.map((curve) => curve.label).join(", "));
    const clip = svgElement("clipPath", {id: "inside-" + spec.id});
    clip.append(svgElement("rect", {x: MARGIN.left, y: MARGIN.top, width: this.plotWidth, height: this.plotHeight}));
    this.inside = svgElement("g", {"clip-path": `url(#inside-${spec.id})`});
    this.overlay = svgElement("g");
    svg.append(clip);
    this.drawAxes();
    svg.append(this.inside, this.overlay);
    for (const curve of this.shown) this.drawCurve(curve);
    this.drawCutLabels();
    this.drawCursor();
  }

  drawAxes() {
    const ink = colourOf("ink"), muted = colourOf("muted"), grid = colourOf("grid");
    const bottom = MARGIN.top + this.plotHeight, right = MARGIN.left + this.plotWidth;
    const line = (x1, y1, x2, y2, stroke) => this.svg.append(svgElement("line", {x1, y1, x2, y2, stroke}));
    const label = (x, y, text, more = {}) =>
      this.svg.append(svgElement("text", {x, y, fill: muted, "font-size": 12, ...more}, text));
    for (const tick of ticks(...this.range, Math.max(3, this.plotWidth / 95))) {
      const x = this.px(tick.value);
      line(x, MARGIN.top, x, bottom, grid);
      label(x, bottom + 18, tick.label, {"text-anchor": "middle"});
    }
    for (const tick of ticks(this.low, this.high, Math.max(3, this.plotHeight / 52))) {
      const y = this.py(tick.value);
      line(MARGIN.left, y, right, y, grid);
      label(MARGIN.left - 8, y + 4, tick.label, {"text-anchor": "end"});
    }
    line(MARGIN.left, bottom, right, bottom, muted);
    line(MARGIN.left, MARGIN.top, MARGIN.left, bottom, muted);
    if (this.spec.reference !== undefined && this.spec.reference < this.high) {
      const y = this.py(this.spec.reference);
      this.svg.append(svgElement("line", {x1: MARGIN.left, y1: y, x2: right, y2: y, stroke: muted,
        "stroke-dasharray": "2 4"}));
    }
    const {xSymbol, xUnit, yLabel} = this.spec;
    const axis = svgElement("text", {x: (MARGIN.left + right) / 2, y: bottom + 38, fill: ink, "font-size": 13.5,
      "text-anchor": "middle"});
    axis.append(svgElement("tspan", {"font-style": "italic"}, xSymbol), svgElement("tspan", {}, xUnit ? ` (${xUnit})` : ""));
    const middle = MARGIN.top + this.plotHeight / 2;
    this.svg.append(axis, svgElement("text", {x: 15, y: middle, fill: ink, "font-size": 13.5, "text-anchor": "middle",
      "font-style": "italic", transform: `rotate(-90 15 ${middle})`}, yLabel));
  }

  /** Runs of points without gaps; of more points than pixels the lowest and highest in each. */
  runs(values) {
    const [first, last] = this.points();
    const per = Math.max(1, Math.floor((last - first) / this.plotWidth));
    const runs = [];
    let run = [];
    const end = () => { if (run.length) runs.push(run); run = []; };
    for (let k = first; k < last; k += per) {
      let low = -1, high = -1;
      for (let j = k; j < Math.min(last, k + per); ++j) {
        if (values[j] === null) continue;
        if (low < 0 || values[j] < values[low]) low = j;
        if (high < 0 || values[j] > values[high]) high = j;
      }
      if (low < 0) end();
      else run.push(...(low === high ? [low] : [Math.min(low, high), Math.max(low, high)]));
    }
    end();
    return runs;
  }

  drawCurve(curve) {
    const stroke = colourOf("curve" + curve.colour), x = this.spec.x;
    const at = (k, y) => `${Math.round(10 * this.px(x[k])) / 10} ${Math.round(10 * this.py(y)) / 10}`;
    const runs = this.runs(curve.y);
    if (this.page.bands && curve.error) {
      const shade = runs.map((run) => {
        const above = run.map((k) => at(k, curve.y[k] + (curve.error[k] || 0)));
        const below = run.map((k) => at(k, curve.y[k] - (curve.error[k] || 0))).reverse();
        return "M" + above.concat(below).join("L") + "Z";
      });
      this.inside.append(svgElement("path", {class: "band", d: shade.join(""), fill: stroke,
        "fill-opacity": colourOf("shade")}));
    }
    const path = svgElement("path", {class: "curve", d: runs.map((run) => "M" + run.map((k) => at(k, curve.y[k])).join("L")).join(""),
      fill: "none", stroke, "stroke-width": 1.9, "stroke-linejoin": "round", "stroke-dasharray": DASHES[curve.dash]});
    path.dataset.pair = curve.pair;
    path.dataset.label = curve.label;
    this.inside.append(path);
  }

  /** Heights of the peaks that leave the plot. */
  drawCutLabels() {
    const [first, last] = this.points();
    let row = 0;
    if (!this.page.cut) return;
    for (const curve of this.shown) {
      if (!curve.cutBelow) continue;
      let best = -1;
      for (let k = first; k < Math.min(last, curve.cutBelow); ++k) {
        if (curve.y[k] > this.high && (best < 0 || curve.y[k] > curve.y[best])) best = k;
      }
      if (best < 0) continue;
      this.overlay.append(svgElement("text", {x: this.px(this.spec.x[best]) + 7, y: MARGIN.top + 13 + 15 * row++,
        fill: colourOf("curve" + curve.colour), "font-size": 12, "font-weight": 600,
        stroke: colourOf("card"), "stroke-width": 5, "paint-order": "stroke", "stroke-linejoin": "round"},
        `↑ ${shortNumber(curve.y[best])}`));
    }
  }

  drawCursor() {
    this.overlay.querySelectorAll(".cursor").forEach((element) => element.remove());
    const k = this.cursor;
    if (k === null || this.spec.x[k] < this.range[0] || this.spec.x[k] > this.range[1]) return;
    const x = this.px(this.spec.x[k]);
    this.overlay.append(svgElement("line", {class: "cursor", x1: x, x2: x, y1: MARGIN.top, y2: MARGIN.top + this.plotHeight,
      stroke: colourOf("muted"), "stroke-width": 1}));
    for (const curve of this.shown) {
      const y = curve.y[k];
      if (y === null || y > this.high || y < this.low) continue;
      this.overlay.append(svgElement("circle", {class: "cursor", cx: x, cy: this.py(y), r: 3.6,
        fill: colourOf("curve" + curve.colour), stroke: colourOf("card"), "stroke-width": 1.5}));
    }
  }
}
