import { type Static, Type } from 'typebox'
import { findViolations, formatViolation } from './schema-violations.ts'
import { createValidator } from './validator.ts'

/** Maximum number of tools of an app, parameters of a tool, and characters of a text argument. */
export const TOOL_LIMITS = { tools: 100, parameters: 50, text: 10_000 } as const

const scalar = Type.Union([Type.String({ maxLength: TOOL_LIMITS.text }), Type.Number(), Type.Boolean()])

const PARAMETER_NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'

/** Schema of a parameter of a tool. */
export const toolParameter = Type.Object(
  {
    type: Type.Enum(['string', 'number', 'boolean']),
    description: Type.String({ maxLength: 2_000 }),
    enum: Type.Optional(
      Type.Array(Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()]), {
        minItems: 1,
        maxItems: 200,
        description: 'Allowed values, of the type of the parameter',
      }),
    ),
    required: Type.Optional(Type.Boolean({ description: 'Default false' })),
  },
  { title: 'ToolParameter' },
)

/** Schema of a tool that an app offers to assistants, as declared in its manifest (app-socket.md §3.3). */
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

/** A tool that an app offers to assistants. */
export type Tool = Static<typeof tool>

/** Schema of a tool in a list of tools of several apps. */
export const appTool = Type.Object(
  { ...tool.properties, appPackageName: Type.String() },
  { title: 'ToolOfApp' },
)

/** Schema of the arguments of a tool call, by parameter. */
export const toolArguments = Type.Record(Type.String(), scalar, { maxProperties: TOOL_LIMITS.parameters })

/** The arguments of a tool call, by parameter. */
export type ToolArguments = Static<typeof toolArguments>

/** Schema of the body of a tool call. */
export const toolCall = Type.Object(
  {
    toolId: Type.String({ minLength: 1, maxLength: 200 }),
    toolParameters: Type.Optional(toolArguments),
    userId: Type.Optional(
      Type.String({ maxLength: 254, description: 'E-mail address of the user, who must be the caller' }),
    ),
    timestamp: Type.Optional(
      Type.Unknown({ description: 'Ignored: the app receives the time of the cloud' }),
    ),
  },
  { title: 'ToolCall' },
)

/** Schema of the response to a tool call. */
export const toolCallResponse = Type.Object(
  {
    status: Type.Literal('success'),
    reply: Type.Unknown({
      description:
        'Text for the assistant; GIVE_APP_CONTROL_OF_TOOL_RESPONSE if the app displays the result itself; null if the app did not handle the call',
    }),
  },
  { title: 'ToolAnswer' },
)

const validator = createValidator(tool)

/** Number of schema violations that are reported for each tool. */
const MAX_PROBLEMS = 8

/**
 * Validates the tools an app declares.
 * @returns a sentence for each problem, with its path such as `tools[0].id`; empty if all are valid
 */
export function validateToolDeclarations(declared: readonly unknown[]): string[] {
  const ids = new Set<unknown>()
  return declared.flatMap((candidate, index) => {
    const place = `tools[${index}]`
    if (!validator.Check(candidate)) return describeSchemaErrors(place, candidate)
    const duplicates = ids.has(candidate.id) ? [`${place}.id duplicates the id of an earlier tool`] : []
    ids.add(candidate.id)
    const typeErrors = Object.entries(candidate.parameters ?? {}).flatMap(([name, { type, enum: values }]) =>
      values?.every((value) => typeof value === type) === false
        ? [`${place}.parameters.${name}.enum must contain only ${type} values`]
        : [],
    )
    return [...duplicates, ...typeErrors]
  })
}

/** Filters out invalid declarations, which apps registered before validation existed may have. */
export function selectValidTools(declared: readonly unknown[]): Tool[] {
  return declared.filter((candidate) => validator.Check(candidate))
}

/**
 * Validates the arguments of a tool call.
 * @returns the problem as a sentence; undefined if the arguments are valid
 */
export function validateToolArguments({ parameters = {} }: Tool, args: ToolArguments): string | undefined {
  for (const name of Object.keys(args)) {
    if (!Object.hasOwn(parameters, name))
      return `toolParameters.${truncate(name)} is not a parameter of this tool`
  }
  for (const [name, { type, enum: values, required }] of Object.entries(parameters)) {
    if (!Object.hasOwn(args, name)) {
      if (required === true) return `toolParameters.${name} is required`
      continue
    }
    const value = args[name]
    if (typeof value !== type) return `toolParameters.${name} must be a ${type}`
    if (values && !values.some((allowed) => allowed === value))
      return `toolParameters.${name} must be one of ${truncate(values.join(', '), 500)}`
  }
  return undefined
}

function describeSchemaErrors(place: string, candidate: unknown): string[] {
  return findViolations(validator.AllErrors(candidate, MAX_PROBLEMS)).map(({ field, problem }) =>
    formatViolation(
      {
        field: field === '' ? place : `${place}.${field}`,
        problem: (problem.startsWith('must match') && PATTERN_HINTS[field]) || problem,
      },
      place,
    ),
  )
}

/** Error messages for fields whose pattern would not help the developer. */
const PATTERN_HINTS: Readonly<Record<string, string>> = {
  id: 'must be a name like take_note: letters, digits, dots, hyphens, colons, slashes and underscores',
}

function truncate(text: string, maxLength = 50): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
