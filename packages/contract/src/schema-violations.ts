import type { TLocalizedValidationError } from 'typebox/error'

/** A violation of a schema in words that a person can act on. */
export interface SchemaViolation {
  /** Path of the field, such as `hardwareRequirements[0].level`; empty for the value itself. */
  readonly field: string
  /** The problem as a predicate, such as `must be a string`. */
  readonly problem: string
}

/**
 * Converts the errors of a validator to at most one violation per field. The alternatives of a union are merged into
 * one list, as in `must be one of REQUIRED, OPTIONAL`.
 */
export function findViolations(errors: readonly TLocalizedValidationError[]): SchemaViolation[] {
  const found = new Map<string, string>()
  for (const error of errors) {
    for (const [field, problem] of describeError(error, errors)) {
      if (!found.has(field)) found.set(field, problem)
    }
  }
  return [...found].map(([field, problem]) => ({ field, problem }))
}

/** Formats a violation as a sentence; `subject` is used if the violation has no field. */
export function formatViolation(violation: SchemaViolation, subject: string): string {
  return `${violation.field === '' ? subject : violation.field} ${violation.problem}`
}

function describeError(
  error: TLocalizedValidationError,
  all: readonly TLocalizedValidationError[],
): [field: string, problem: string][] {
  const at = toFieldPath(error.instancePath)
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => [joinPath(at, name), 'is required'])
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => [joinPath(at, name), 'is not a known field'])
    case 'boolean':
      // Accompanies additionalProperties, which names the field.
      return []
    case 'const': {
      const allowed = all.filter(
        (other) => other.keyword === 'const' && other.instancePath === error.instancePath,
      )
      return [
        [
          at,
          mustBeOneOf(allowed.map((other) => (other.keyword === 'const' ? other.params.allowedValue : ''))),
        ],
      ]
    }
    case 'enum':
      return [[at, mustBeOneOf(error.params.allowedValues)]]
    case 'type':
      return [[at, `must be ${nameTypes(error.params.type)}`]]
    case 'minLength':
      return [
        [
          at,
          error.params.limit === 1
            ? 'must not be empty'
            : `must have at least ${error.params.limit} characters`,
        ],
      ]
    case 'maxLength':
      return [[at, `must have at most ${error.params.limit} characters`]]
    case 'minItems':
      return [[at, `must have at least ${error.params.limit} entries`]]
    case 'maxItems':
      return [[at, `must have at most ${error.params.limit} entries`]]
    case 'minimum':
      return [[at, `must be ${error.params.limit} or more`]]
    case 'maximum':
      return [[at, `must be ${error.params.limit} or less`]]
    case 'format':
      return [[at, `must be a valid ${error.params.format}`]]
    case 'pattern':
      return [[at, `must match ${error.params.pattern}`]]
    default:
      return [[at, error.message]]
  }
}

function mustBeOneOf(values: readonly unknown[]): string {
  return values.length === 1
    ? `must be ${String(values[0])}`
    : `must be one of ${values.map(String).join(', ')}`
}

function nameTypes(type: string | readonly string[]): string {
  const article: Record<string, string> = {
    object: 'an object',
    array: 'a list',
    integer: 'a whole number',
    null: 'null',
  }
  return [type]
    .flat()
    .map((name) => article[name] ?? `a ${name}`)
    .join(' or ')
}

function toFieldPath(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(joinPath, '')
}

function joinPath(path: string, step: string): string {
  if (/^\d+$/.test(step) && path !== '') return `${path}[${step}]`
  return path === '' ? step : `${path}.${step}`
}
