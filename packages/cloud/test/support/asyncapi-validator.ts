import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { type OutgoingDialect, parseSubscription } from '@glasses-cloud/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

/** The parts of an AsyncAPI document that frames are held against. */
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

/** Where the forms of a message stand in its payload. */
const forms = { flat: [0], envelope: [1], both: [0, 1] } as const satisfies Record<OutgoingDialect, number[]>

/** Holds messages against what the cloud says of its own sockets. */
export class AsyncApiValidator {
  readonly #ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true })
  readonly #document: AsyncApiDocument

  constructor(document: AsyncApiDocument) {
    this.#document = document
    formats.default(this.#ajv)
    this.#ajv.addFormat('binary', true)
    this.#ajv.addSchema(document, 'sockets')
  }

  /** The types of an operation's messages. */
  typesOf(operation: string): readonly string[] {
    const { messages } = this.#operation(operation)
    return messages.map(({ $ref }) => nameIn($ref).split('.').slice(1).join('.'))
  }

  /** Fails if a text frame is none that the operation knows in that form; in both forms, if one of them is wrong. */
  check(operation: string, dialect: OutgoingDialect, text: string): void {
    const frame = JSON.parse(text) as Frame
    const said = `${operation}, ${dialect}: ${inspect(text.slice(0, 1_000))}`
    const reference = this.#operation(operation).messages.find(
      ({ $ref }) => nameIn($ref).split('.').slice(1).join('.') === frame.type,
    )
    assert.ok(reference, `${said}: the description knows no such type`)
    const name = nameIn(reference.$ref)
    for (const form of forms[dialect]) {
      const validate = this.#ajv.getSchema(
        `sockets#/components/messages/${name}/payload/anyOf/${form}`,
      ) as ValidateFunction
      assert.ok(validate(frame), `${said}: ${this.#ajv.errorsText(validate.errors, { dataVar: 'it' })}`)
    }
    if (frame.type === 'data_stream') this.#checkData(dialect === 'envelope' ? frame.data : frame, said)
  }

  /** What a frame of a stream holds must be as it is described; what is only passed on is not described. */
  #checkData({ streamType, data }: Frame, said: string): void {
    const { stream } = parseSubscription(String(streamType))
    const validate = this.#ajv.getSchema(`sockets#/components/schemas/stream.${stream}`)
    if (validate === undefined) return
    assert.ok(validate(data), `${said}: ${this.#ajv.errorsText(validate.errors, { dataVar: 'its data' })}`)
  }

  #operation(name: string) {
    const operation = this.#document.operations[name]
    assert.ok(operation, `there is no operation ${name}`)
    return operation
  }
}

/** The last step of a reference. */
const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
