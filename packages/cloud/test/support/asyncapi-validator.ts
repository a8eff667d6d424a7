import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { type OutgoingDialect, parseSubscription } from '@glasses-cloud/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

/** The parts of an AsyncAPI document that frames are validated against. */
export interface AsyncApiDocument {
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly 'x-aliases': readonly string[] }>
  >
  readonly operations: Readonly<
    Record<string, { readonly channel: Reference; readonly messages: readonly Reference[] }>
  >
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly name: string }>>
  }
}

interface Frame {
  readonly type?: string
  readonly streamType?: string
  readonly data: Frame
}

interface Reference {
  readonly $ref: string
}

/** The indexes of the forms of a message in the `anyOf` of its payload. */
const forms = { flat: [0], envelope: [1], both: [0, 1] } as const satisfies Record<OutgoingDialect, number[]>

/** Validates frames against the AsyncAPI document of the cloud. */
export class AsyncApiValidator {
  readonly #ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true })
  readonly #document: AsyncApiDocument

  constructor(document: AsyncApiDocument) {
    this.#document = document
    formats.default(this.#ajv)
    this.#ajv.addFormat('binary', true)
    this.#ajv.addSchema(document, 'sockets')
  }

  /** The message types of an operation. */
  typesOf(operation: string): readonly string[] {
    const { messages } = this.#operation(operation)
    return messages.map(({ $ref }) => nameIn($ref).split('.').slice(1).join('.'))
  }

  /** Asserts that a text frame is a documented message of the operation in the given form, or in both forms. */
  check(operation: string, dialect: OutgoingDialect, text: string): void {
    const frame = JSON.parse(text) as Frame
    const context = `${operation}, ${dialect}: ${inspect(text.slice(0, 1_000))}`
    const reference = this.#operation(operation).messages.find(
      ({ $ref }) => nameIn($ref).split('.').slice(1).join('.') === frame.type,
    )
    assert.ok(reference, `${context}: the type is not documented`)
    const name = nameIn(reference.$ref)
    for (const form of forms[dialect]) {
      const validate = this.#ajv.getSchema(
        `sockets#/components/messages/${name}/payload/anyOf/${form}`,
      ) as ValidateFunction
      assert.ok(validate(frame), `${context}: ${this.#ajv.errorsText(validate.errors, { dataVar: 'frame' })}`)
    }
    if (frame.type === 'data_stream') this.#checkData(dialect === 'envelope' ? frame.data : frame, context)
  }

  /** Asserts the data of a `data_stream` frame; data that the cloud only forwards is not described. */
  #checkData({ streamType, data }: Frame, context: string): void {
    const { stream } = parseSubscription(String(streamType))
    const validate = this.#ajv.getSchema(`sockets#/components/schemas/stream.${stream}`)
    if (validate === undefined) return
    assert.ok(validate(data), `${context}: ${this.#ajv.errorsText(validate.errors, { dataVar: 'data' })}`)
  }

  #operation(name: string) {
    const operation = this.#document.operations[name]
    assert.ok(operation, `unknown operation ${name}`)
    return operation
  }
}

/** The last step of a reference. */
const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
