import { type Static, Type } from 'typebox'
import { findViolations, formatViolation } from './schema-violations.ts'
import { cutText } from './text.ts'
import { createValidator } from './validator.ts'

/** Maximum number of tools of an app, parameters of a tool, arguments of a call, and characters of a text argument. */
export const TOOL_LIMITS = { tools: 100, parameters: 50, arguments: 200, text: 10_000 } as const

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

/** The arguments of a tool call, by parameter. */
export type ToolArguments = Readonly<Record<string, string | number | boolean>>

/** Schema of the body of a tool call. */
export const toolCall = Type.Object(
  {
    toolId: Type.String({ minLength: 1, maxLength: 200 }),
    toolParameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: TOOL_LIMITS.arguments,
        description: 'Arguments by parameter; those that the tool does not declare are dropped',
      }),
    ),
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
    ignoredParameters: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Arguments that the tool does not declare, which the app did not receive',
      }),
    ),
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

/** The valid arguments of a tool call, or the problem with them as a sentence. */
export type ToolArgumentsReading =
  | { readonly ok: true; readonly args: ToolArguments; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/**
 * Selects the arguments of a tool call that the tool declares and validates them. Assistants add others, which are
 * returned in `ignored`.
 */
export function readToolArguments(
  { parameters = {} }: Tool,
  given: Readonly<Record<string, unknown>>,
): ToolArgumentsReading {
  const args: Record<string, string | number | boolean> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined) {
      if (parameter.required === true) return { ok: false, problem: `toolParameters.${name} is required` }
      continue
    }
    const problem = findArgumentProblem(value, parameter)
    if (problem !== undefined) return { ok: false, problem: `toolParameters.${name} ${problem}` }
    args[name] = value as string | number | boolean
  }
  const ignored = Object.keys(given).filter((name) => !Object.hasOwn(parameters, name))
  return { ok: true, args, ignored: ignored.map((name) => truncate(name)) }
}

function findArgumentProblem(
  value: unknown,
  { type, enum: values }: Static<typeof toolParameter>,
): string | undefined {
  if (typeof value !== type) return `must be a ${type}`
  if (typeof value === 'string' && value.length > TOOL_LIMITS.text)
    return `must have at most ${TOOL_LIMITS.text} characters`
  if (values && !values.some((allowed) => allowed === value))
    return `must be one of ${truncate(values.join(', '), 500)}`
  return undefined
}

function describeSchemaErrors(place: string, candidate: unknown): string[] {
  return findViolations(validator.AllErrors(candidate, MAX_PROBLEMS)).map(({ field, problem }) =>
    formatViolation(
      { field: field === '' ? place : `${place}.${field}`, problem: hintFor(field, problem) },
      place,
    ),
  )
}

function hintFor(field: string, problem: string): string {
  if (problem.startsWith('must match')) return PATTERN_HINTS[field] ?? problem
  // A name that does not match the pattern is an unknown field of the object.
  return /^parameters\.[^.]*$/.test(field) && problem === 'is not a known field'
    ? PARAMETER_NAME_HINT
    : problem
}

const PARAMETER_NAME_HINT = 'must be a name like text or max_length, without spaces'

/** Error messages for fields whose pattern would not help the developer. */
const PATTERN_HINTS: Readonly<Record<string, string>> = {
  id: 'must be a name like take_note: letters, digits, dots, hyphens, colons, slashes and underscores',
}

function truncate(text: string, maxLength = 50): string {
  return text.length > maxLength ? `${cutText(text, maxLength)}…` : text
}
