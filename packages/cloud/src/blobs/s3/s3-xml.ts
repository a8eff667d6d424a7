import { parseXml, XmlElement } from '@rgrove/parse-xml'

/** An element of an S3 response, read by name; a missing element reads as empty. */
export class S3Xml {
  readonly #element: XmlElement | undefined

  private constructor(element: XmlElement | undefined) {
    this.#element = element
  }

  /** Parses a response; text that is not XML reads as an empty document. */
  static parse(text: string): S3Xml {
    try {
      return new S3Xml(parseXml(text).root ?? undefined)
    } catch {
      return new S3Xml(undefined)
    }
  }

  /** Name of the element; empty if it is missing. */
  get name(): string {
    return this.#element?.name ?? ''
  }

  /** Returns the text of the first child with this name; empty if there is none. */
  text(name: string): string {
    const [first] = this.all(name)
    return first === undefined ? '' : first.#text
  }

  get #text(): string {
    return this.#element?.text.trim() ?? ''
  }

  /** Returns the children with this name. */
  all(name: string): S3Xml[] {
    const children = this.#element?.children ?? []
    return children
      .filter((child) => child instanceof XmlElement)
      .filter((child) => child.name === name)
      .map((child) => new S3Xml(child))
  }
}
