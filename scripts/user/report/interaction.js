"use strict";
// What the mouse, a finger or the keyboard does to a plot, and saving it.

Object.assign(Chart.prototype, {
  nearest(x) {
    const values = this.spec.x;
    let best = 0;
    for (let k = 1; k < values.length; ++k) {
      if (Math.abs(values[k] - x) < Math.abs(values[best] - x)) best = k;
    }
    return best;
  },

  pixelOf(event) {
    const rectangle = this.svg.getBoundingClientRect();
    return (event.clientX - rectangle.left) * this.width / rectangle.width;
  },

  listen() {
    let start = null;
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = this.pixelOf(event);
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      const here = this.pixelOf(event);
      this.page.point(this, this.xAt(here), true);
      if (start !== null) this.drawSelection(start, here);
    });
    const end = (event) => {
      if (start === null) return;
      const here = this.pixelOf(event);
      const chosen = [start, here].map((px) => this.xAt(px)).sort((a, b) => a - b);
      const wide = Math.abs(here - start) > 5;
      start = null;
      if (wide && event.type === "pointerup") this.page.zoom(this, chosen);
      else this.draw();
    };
    this.svg.addEventListener("pointerup", end);
    this.svg.addEventListener("pointercancel", end);
    this.svg.addEventListener("pointerleave", () => this.page.point(this, null));
    this.svg.addEventListener("dblclick", () => this.page.zoom(this, this.full));
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // without it the page scrolls
      event.preventDefault();
      this.zoomAround(this.xAt(this.pixelOf(event)), event.deltaY > 0 ? 1.25 : 0.8);
    }, {passive: false});
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("blur", () => this.page.point(this, null));
  },

  drawSelection(from, to) {
    this.overlay.querySelectorAll(".selection").forEach((element) => element.remove());
    this.overlay.append(svgElement("rect", {class: "selection", x: Math.min(from, to), width: Math.abs(to - from),
      y: MARGIN.top, height: this.plotHeight, fill: colourOf("accent"), "fill-opacity": 0.15}));
  },

  zoomAround(x, factor) {
    this.page.zoom(this, this.range.map((end) => x + (end - x) * factor));
  },

  key(event) {
    const [first, last] = this.points();
    const step = event.shiftKey ? 10 : 1;
    const now = this.cursor === null ? Math.floor((first + last) / 2) : this.cursor;
    const moves = {ArrowLeft: now - step, ArrowRight: now + step, Home: first, End: last - 1};
    if (event.key in moves) {
      const k = Math.max(0, Math.min(this.spec.x.length - 1, moves[event.key]));
      this.page.point(this, this.spec.x[k], false);
      this.page.say(this.reading(k));
    } else if (event.key === "+" || event.key === "=") {
      this.zoomAround(this.spec.x[now], 0.7);
    } else if (event.key === "-") {
      this.zoomAround(this.spec.x[now], 1 / 0.7);
    } else if (event.key === "0" || event.key === "Escape") {
      this.page.zoom(this, this.full);
    } else {
      return;
    }
    event.preventDefault();
  },

  setRange([low, high]) {
    const width = Math.min(this.full[1] - this.full[0], Math.max(high - low, 4 * (this.spec.x[1] - this.spec.x[0])));
    const start = Math.max(this.full[0], Math.min(low, this.full[1] - width));
    this.range = width >= this.full[1] - this.full[0] ? [...this.full] : [start, start + width];
    this.draw();
  },

  pointAt(x) {
    this.cursor = x === null ? null : this.nearest(x);
    this.drawCursor();
    if (x === null) this.tooltip.style.display = "none";
  },

  valueText(curve, k) {
    const error = curve.error && curve.y[k] !== null ? ` ± ${shortNumber(curve.error[k])}` : "";
    return shortNumber(curve.y[k]) + error;
  },

  reading(k) {
    const {xSymbol, xUnit, x} = this.spec;
    return `${xSymbol} = ${shortNumber(x[k])} ${xUnit}: ` +
      this.shown.map((curve) => `${curve.label} ${this.valueText(curve, k)}`).join(", ");
  },

  showTooltip() {
    const k = this.cursor;
    if (k === null || !this.shown.length) {
      this.tooltip.style.display = "none";
      return;
    }
    const {xSymbol, xUnit, x} = this.spec;
    const table = document.createElement("table");
    const row = (name, value, colour) => {
      const cells = table.insertRow();
      const first = cells.insertCell();
      first.textContent = name;
      if (colour) Object.assign(first.style, {color: colour, fontWeight: 600});
      cells.insertCell().textContent = value;
    };
    row(xSymbol, `${shortNumber(x[k])} ${xUnit}`);
    for (const curve of this.shown) row(curve.label, this.valueText(curve, k), colourOf("curve" + curve.colour));
    this.tooltip.replaceChildren(table);
    this.tooltip.style.display = "block";
    const plot = this.svg.getBoundingClientRect(), box = this.box.getBoundingClientRect();
    const left = plot.left - box.left + this.px(x[k]) * plot.width / this.width;
    const width = this.tooltip.offsetWidth;
    this.tooltip.style.left = `${left + 16 + width < this.box.clientWidth ? left + 16 : Math.max(4, left - 16 - width)}px`;
    this.tooltip.style.top = `${plot.top - box.top + MARGIN.top + 4}px`;
  },

  saveButton(kind) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind;
    button.title = `Save this plot as ${kind}`;
    button.addEventListener("click", () => this.save(kind.toLowerCase()));
    return button;
  },

  async save(kind) {
    this.pointAt(null);
    const copy = this.svg.cloneNode(true);
    copy.setAttribute("width", this.width);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    let content = new Blob([new XMLSerializer().serializeToString(copy)], {type: "image/svg+xml"});
    if (kind === "png") {
      const image = new Image();
      image.src = URL.createObjectURL(content);
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [3 * this.width, 3 * this.spec.height];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      content = await new Promise((done) => canvas.toBlob(done));
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = `${this.spec.id}.${kind}`;
    link.click();
  },
});
