import { Type } from 'typebox'

/** Schema of the body of `POST /api/user-data/set-datetime`. */
export const dateTimeReport = Type.Object(
  {
    coreToken: Type.String({ minLength: 1, description: 'Core token of the user' }),
    datetime: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}[0-9:.,+\\-Z ]{0,30}$',
      description: "The phone's date and time, ISO 8601; forwarded verbatim",
    }),
  },
  { title: 'DateTimeReport' },
)
