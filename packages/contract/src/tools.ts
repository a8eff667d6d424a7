import { type Static, Type } from 'typebox'
import { findViolations, formatViolation } from './schema-violations.ts'
import { createValidator } from './validator.ts'

/** Most tools an app may declare, most parameters of one, and longest text given for one, in characters. */
export const TOOL_LIMITS = { tools: 100, parameters: 50, text: 10_000 } as const

const scalar = Type.Union([Type.String({ maxLength: TOOL_LIMITS.text }), Type.Number(), Type.Boolean()])

const PARAMETER_NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'

/** Schema of one thing a tool wants to be told. */
export const toolParameter = Type.Object(
  {
    type: Type.Enum(['string', 'number', 'boolean']),
    description: Type.String({ maxLength: 2_000 }),
    enum: Type.Optional(
      Type.Array(Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()]), {
        minItems: 1,
        maxItems: 200,
        description: 'All that it may be; of its type',
      }),
    ),
    required: Type.Optional(Type.Boolean({ description: 'False if absent' })),
  },
  { title: 'ToolParameter' },
)

/** Schema of what an app can do for an assistant, as its manifest declares it (app socket protocol, 3.3). */
export const tool = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,199}$' }),
    description: Type.String({ minLength: 1, maxLength: 10_000 }),
    activationPhrases: Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 })),
    parameters: Type.Optional(
      Type.Record(Type.String({ pattern: PARAMETER_NAME_PATTERN }), toolParameter, {
        additionalProperties: false,
        maxProperties: TOOL_LIMITS.parameters,
      }),
    ),
  },
  { title: 'Tool' },
)

/** What an app can do for an assistant. */
export type Tool = Static<typeof tool>

/** Schema of a tool among those of several apps. */
export const appTool = Type.Object(
  { ...tool.properties, appPackageName: Type.String() },
  { title: 'ToolOfApp' },
)

/** Schema of what a tool is told, by parameter. */
export const toolArguments = Type.Record(Type.String(), scalar, { maxProperties: TOOL_LIMITS.parameters })

/** What a tool is told, by parameter. */
export type ToolArguments = Static<typeof toolArguments>

/** Schema of the call of a tool. */
export const toolCall = Type.Object(
  {
    toolId: Type.String({ minLength: 1, maxLength: 200 }),
    toolParameters: Type.Optional(toolArguments),
    userId: Type.Optional(
      Type.String({ maxLength: 254, description: 'E-mail of the user it is for, who must be the caller' }),
    ),
    timestamp: Type.Optional(
      Type.Unknown({ description: 'Without effect: the app is told the time of the cloud' }),
    ),
  },
  { title: 'ToolCall' },
)

/** Schema of what an app answers to the call of a tool. */
export const toolCallResponse = Type.Object(
  {
    status: Type.Literal('success'),
    reply: Type.Unknown({
      description:
        'Text for the assistant; GIVE_APP_CONTROL_OF_TOOL_RESPONSE if the app shows it itself; null if it did not handle the call',
    }),
  },
  { title: 'ToolAnswer' },
)

const validator = createValidator(tool)

/** Everything wrong with the tools an app declares, a sentence each that names the place. */
export function validateToolDeclarations(declared: readonly unknown[]): string[] {
  const ids = new Set<unknown>()
  return declared.flatMap((candidate, index) => {
    const place = `tools[${index}]`
    if (!validator.Check(candidate)) return describeSchemaErrors(place, candidate)
    const repeated = ids.has(candidate.id) ? [`${place}.id is the id of an earlier tool`] : []
    ids.add(candidate.id)
    const odd = Object.entries(candidate.parameters ?? {}).flatMap(([name, { type, enum: words }]) =>
      words?.every((word) => typeof word === type) === false
        ? [`${place}.parameters.${name}.enum must hold a ${type} in each place`]
        : [],
    )
    return [...repeated, ...odd]
  })
}

/** The tools among declarations; apps registered before declarations were looked at may have made others. */
export function selectValidTools(declared: readonly unknown[]): Tool[] {
  return declared.filter((candidate) => validator.Check(candidate))
}

/** What is wrong with what a tool is told, as a sentence; nothing if it may be called. */
export function validateToolArguments({ parameters = {} }: Tool, given: ToolArguments): string | undefined {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(parameters, name))
      return `toolParameters.${truncate(name)} is not a parameter of this tool`
  }
  for (const [name, { type, enum: words, required }] of Object.entries(parameters)) {
    if (!Object.hasOwn(given, name)) {
      if (required === true) return `toolParameters.${name} is required`
      continue
    }
    const value = given[name]
    if (typeof value !== type) return `toolParameters.${name} must be a ${type}`
    if (words && !words.some((word) => word === value))
      return `toolParameters.${name} must be one of ${truncate(words.join(', '), 500)}`
  }
  return undefined
}

function describeSchemaErrors(place: string, candidate: unknown): string[] {
  return findViolations(validator.Errors(candidate)).map(({ field, problem }) =>
    formatViolation(
      {
        field: field === '' ? place : `${place}.${field}`,
        problem: (problem.startsWith('must match') && PATTERN_HINTS[field]) || problem,
      },
      place,
    ),
  )
}

/** What a field must look like, where its pattern would say it to nobody. */
const PATTERN_HINTS: Readonly<Record<string, string>> = {
  id: 'must be a name like take_note: letters, digits, dots, hyphens, colons, slashes and underscores',
}

function truncate(text: string, longest = 50): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
