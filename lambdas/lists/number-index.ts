/** Finds the row of a record: an open hash table of rows, which compares the numbers that the rows themselves hold. */
export class NumberIndex {
  private readonly numberAt: (row: number) => number;
  /** One more than the row; 0 is free. */
  private slots = new Int32Array(initialSlots);
  private size = 0;

  constructor(numberAt: (row: number) => number) {
    this.numberAt = numberAt;
  }

  get bytes(): number {
    return this.slots.byteLength;
  }

  /** Undefined when the number has no row. */
  rowOf(number: number): number | undefined {
    const occupant = this.slots[this.slotOf(number)]!;
    return occupant === 0 ? undefined : occupant - 1;
  }

  /** For a number that has no row yet; the row must hold the number already. */
  add(number: number, row: number): void {
    if (++this.size > this.slots.length * fullest) this.grow();
    this.slots[this.slotOf(number)] = row + 1;
  }

  /** Makes room at once for as many as will come. */
  reserve(numbers: number): void {
    while (this.size + numbers > this.slots.length * fullest) this.grow();
  }

  /** The number's slot, or the free one where it belongs. There is always a free one. */
  private slotOf(number: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(number) & mask;
    for (let occupant = this.slots[slot]!; occupant !== 0; occupant = this.slots[slot]!) {
      if (this.numberAt(occupant - 1) === number) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(before.length * 2);
    for (const occupant of before) {
      if (occupant !== 0) this.slots[this.slotOf(this.numberAt(occupant - 1))] = occupant;
    }
  }
}

const initialSlots = 1_024;
const fullest = 0.7;

function hash(number: number): number {
  const mixed = Math.imul((number % 2 ** 32) ^ Math.imul(Math.floor(number / 2 ** 32) + 1, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
