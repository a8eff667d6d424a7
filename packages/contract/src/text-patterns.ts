/** Text without control characters, which PostgreSQL (U+0000) and lines of a log do not accept; may be empty. */
export const SINGLE_LINE_PATTERN = '^[^\\x00-\\x1f\\x7f]*$'

/** Text of 1 to 100 characters without control characters. */
export const SHORT_LINE_PATTERN = '^[^\\x00-\\x1f\\x7f]{1,100}$'
