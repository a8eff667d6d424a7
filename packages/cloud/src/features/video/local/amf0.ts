/** A value of AMF0, the encoding of the commands of RTMP. Objects and arrays that were received are not kept. */
export type Amf0Value = string | number | boolean | null | Readonly<Record<string, string | number>>

const NUMBER = 0
const BOOLEAN = 1
const STRING = 2
const OBJECT = 3
const NULL = 5
const UNDEFINED = 6
const ECMA_ARRAY = 8
const OBJECT_END = 9
const STRICT_ARRAY = 10
const DATE = 11
const LONG_STRING = 12

/** Objects in objects that a client may send. */
const MAX_DEPTH = 8

/**
 * Reads values one by one. Objects and arrays are skipped, and read as null: no command of a publisher needs them. The
 * time is linear in the number of bytes.
 */
export class Amf0Reader {
  readonly #data: Buffer
  #offset = 0

  constructor(data: Buffer) {
    this.#data = data
  }

  /** Returns the next value; null at the end. @throws Error if it is invalid, incomplete or nested too deeply */
  read(): string | number | boolean | null {
    return this.#offset < this.#data.length ? this.#readValue(0) : null
  }

  #readValue(depth: number): string | number | boolean | null {
    if (depth > MAX_DEPTH) throw new Error('AMF values are nested too deeply')
    const type = this.#data.readUInt8(this.#skip(1))
    switch (type) {
      case NUMBER:
        return this.#data.readDoubleBE(this.#skip(8))
      case BOOLEAN:
        return this.#data.readUInt8(this.#skip(1)) !== 0
      case STRING:
        return this.#readText(this.#data.readUInt16BE(this.#skip(2)))
      case LONG_STRING:
        return this.#readText(this.#data.readUInt32BE(this.#skip(4)))
      case NULL:
      case UNDEFINED:
        return null
      case DATE:
        this.#skip(10)
        return null
      case OBJECT:
        return this.#skipProperties(depth)
      case ECMA_ARRAY:
        this.#skip(4)
        return this.#skipProperties(depth)
      case STRICT_ARRAY:
        for (let left = this.#data.readUInt32BE(this.#skip(4)); left > 0; left -= 1)
          this.#readValue(depth + 1)
        return null
      default:
        throw new Error(`AMF values of type ${type} are not supported`)
    }
  }

  #readText(bytes: number): string {
    const start = this.#skip(bytes)
    return this.#data.toString('utf8', start, this.#offset)
  }

  #skipProperties(depth: number): null {
    while (true) {
      this.#skip(this.#data.readUInt16BE(this.#skip(2)))
      if (this.#data[this.#offset] === OBJECT_END) break
      this.#readValue(depth + 1)
    }
    this.#skip(1)
    return null
  }

  /** Returns the offset before the skipped bytes. */
  #skip(bytes: number): number {
    const start = this.#offset
    if (start + bytes > this.#data.length) throw new Error('An AMF value is incomplete')
    this.#offset += bytes
    return start
  }
}

/** Encodes values. */
export function encodeAmf0(...values: Amf0Value[]): Buffer {
  return Buffer.concat(values.map(encodeValue))
}

function encodeValue(value: Amf0Value): Buffer {
  if (value === null) return Buffer.from([NULL])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([STRING]), encodeName(value)])
  if (typeof value === 'boolean') return Buffer.from([BOOLEAN, Number(value)])
  if (typeof value === 'number') {
    const encoded = Buffer.from([NUMBER, 0, 0, 0, 0, 0, 0, 0, 0])
    encoded.writeDoubleBE(value, 1)
    return encoded
  }
  const properties = Object.entries(value).flatMap(([name, each]) => [encodeName(name), encodeValue(each)])
  return Buffer.concat([Buffer.from([OBJECT]), ...properties, Buffer.from([0, 0, OBJECT_END])])
}

function encodeName(text: string): Buffer {
  const encoded = Buffer.from(text)
  return Buffer.concat([Buffer.from([encoded.length >> 8, encoded.length & 0xff]), encoded])
}
