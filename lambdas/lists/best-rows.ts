// Finds one page among many rows without sorting all of them. Candidates go into a buffer; when it is full, everything
// after the last needed rank is dropped and later rows beyond it are skipped. The cost per row is constant, whatever
// the order of arrival.

/** The sort position of a row: its sort value, then its number. */
export interface Position {
  value: number;
  number: number;
}

export class BestRows {
  private readonly values: Float64Array;
  private readonly numbers: Float64Array;
  private readonly wanted: number;
  private count = 0;
  /** Rows at or after this position cannot be on the page. */
  private endValue = Number.POSITIVE_INFINITY;
  private endNumber = Number.POSITIVE_INFINITY;

  /** `wanted` is the number of leading rows to find, `rows` the maximum number of rows offered. */
  constructor(wanted: number, rows: number) {
    this.wanted = wanted;
    const capacity = Math.max(1, Math.min(rows, Math.max(minBufferRows, 2 * wanted)));
    this.values = new Float64Array(capacity);
    this.numbers = new Float64Array(capacity);
  }

  /** No row with a value beyond this can be among the wanted ones. */
  get lastValue(): number {
    return this.endValue;
  }

  /** Offers the selected rows of a chunk that come after `start`. Sign -1 reverses the order. */
  offer(rows: OfferedRows, start: Position, sign: 1 | -1): void {
    const { selection, count, column, numberLow, numberHigh } = rows;
    const startValue = start.value;
    let { endValue, endNumber } = this;
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      const value = sign * (column[row] ?? 0);
      if (value < startValue || value > endValue) continue;
      const number = sign * ((numberHigh[row] ?? 0) * 2 ** 32 + (numberLow[row] ?? 0));
      if (value === startValue && number <= start.number) continue;
      if (value === endValue && number >= endNumber) continue;
      if (this.count === this.values.length) {
        this.discard();
        ({ endValue, endNumber } = this);
        if (value > endValue || (value === endValue && number >= endNumber)) continue;
      }
      this.values[this.count] = value;
      this.numbers[this.count++] = number;
    }
  }

  /** The rows with ranks in [from, to), in order. Ranks start at 0. */
  ranks(from: number, to: number): Position[] {
    const end = Math.min(to, this.count);
    if (from >= end) return [];
    if (end < this.count) this.select(0, this.count, end);
    if (from > 0) this.select(0, end, from);
    const positions = Array.from({ length: end - from }, (_, index) => ({
      value: this.values[from + index] ?? 0,
      number: this.numbers[from + index] ?? 0,
    }));
    return positions.sort((a, b) => a.value - b.value || a.number - b.number);
  }

  private discard(): void {
    this.select(0, this.count, this.wanted - 1);
    this.count = this.wanted;
    this.endValue = this.values[this.wanted - 1] ?? 0;
    this.endNumber = this.numbers[this.wanted - 1] ?? 0;
  }

  /** Quickselect: moves the element with the given rank into place, smaller ones before it and larger ones after it. */
  private select(first: number, end: number, rank: number): void {
    let low = first;
    let high = end - 1;
    while (low < high) {
      this.medianToMiddle(low, high);
      const middle = (low + high) >>> 1;
      const value = this.values[middle] ?? 0;
      const number = this.numbers[middle] ?? 0;
      let left = low;
      let right = high;
      while (left <= right) {
        while (this.isBefore(left, value, number)) left++;
        while (this.isBehind(right, value, number)) right--;
        if (left <= right) this.swap(left++, right--);
      }
      if (rank <= right) high = right;
      else if (rank >= left) low = left;
      else return;
    }
  }

  private medianToMiddle(low: number, high: number): void {
    const middle = (low + high) >>> 1;
    const before = (a: number, b: number) => this.isBefore(a, this.values[b] ?? 0, this.numbers[b] ?? 0);
    if (before(middle, low)) this.swap(middle, low);
    if (before(high, low)) this.swap(high, low);
    if (before(high, middle)) this.swap(high, middle);
  }

  private isBefore(index: number, value: number, number: number): boolean {
    const own = this.values[index] ?? 0;
    return own < value || (own === value && (this.numbers[index] ?? 0) < number);
  }

  private isBehind(index: number, value: number, number: number): boolean {
    const own = this.values[index] ?? 0;
    return own > value || (own === value && (this.numbers[index] ?? 0) > number);
  }

  private swap(a: number, b: number): void {
    const { values, numbers } = this;
    const value = values[a] ?? 0;
    values[a] = values[b] ?? 0;
    values[b] = value;
    const number = numbers[a] ?? 0;
    numbers[a] = numbers[b] ?? 0;
    numbers[b] = number;
  }
}

export interface OfferedRows {
  selection: Uint16Array;
  count: number;
  column: Float64Array | Uint8Array;
  numberLow: Uint32Array;
  numberHigh: Uint8Array;
}

const minBufferRows = 4_096;
