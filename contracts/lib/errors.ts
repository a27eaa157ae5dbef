import * as z from 'zod/mini'

/** Every error code of the API with its status. The portal words errors by code, never by `detail`. */
export const errors = {
  validation_error: 400,
  malformed_json: 400,
  code_required: 400,
  no_subscription: 400,
  code_expired: 400,
  code_void: 400,
  action_required: 400,
  invalid_return_path: 400,
  invalid_period: 400,
  mode_not_allowed: 400,
  invalid_identifier: 400,
  invalid_serial: 400,
  not_in_stock: 400,
  serial_mismatch: 400,
  vehicle_only: 400,
  no_change: 400,
  mixed_currency: 400,
  unknown_price: 400,
  address_not_found: 400,
  csv_header: 400,
  too_many_rows: 400,
  no_good_row: 400,
  profile_required: 400,
  invalid_password: 400,
  invalid_code: 400,
  bad_signature: 400,
  not_authenticated: 401,
  invalid_credentials: 401,
  second_factor: 401,
  invalid_device_key: 401,
  permission_denied: 403,
  csrf_failed: 403,
  sign_in_again: 403,
  not_found: 404,
  unknown_tracker: 404,
  no_report: 404,
  no_claim: 404,
  invalid_link: 404,
  invalid_key: 404,
  unknown_world: 404,
  nothing_came: 404,
  limit_reached: 409,
  too_many_links: 409,
  too_many_keys: 409,
  device_linked_to_pro: 409,
  recurring_active: 409,
  not_activatable: 409,
  subscription_required: 409,
  request_pending: 409,
  identifier_taken: 409,
  blocked: 409,
  theft_open: 409,
  claim_open: 409,
  no_care_plan: 409,
  care_plan_used: 409,
  reported_missing: 409,
  email_exists: 409,
  contact_exists: 409,
  tag_exists: 409,
  already_paid: 409,
  payment_failed: 409,
  no_payment_method: 409,
  in_use: 409,
  pro_account: 409,
  own_account: 409,
  already_active: 409,
  export_running: 409,
  world_exists: 409,
  key_used_elsewhere: 409,
  last_administrator: 409,
  already_decided: 409,
  wrong_step: 409,
  order_refunded: 409,
  nothing_to_refund: 409,
  disputed: 409,
  refund_failed: 409,
  not_verified: 409,
  expired: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  serial_locked: 423,
  throttled: 429,
  account_busy: 429,
  upload_limit: 429,
  too_many_worlds: 429,
  server_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errors

/** The code for a status when the body names none: from a foreign backend, or from a fault of the mock server. */
export const defaultCodes: Partial<Record<number, ErrorCode>> = {
  400: 'validation_error',
  401: 'not_authenticated',
  403: 'permission_denied',
  404: 'not_found',
  410: 'expired',
  413: 'too_large',
  415: 'unsupported_media_type',
  423: 'serial_locked',
  429: 'throttled',
  500: 'server_error',
  503: 'unavailable',
}

const Faults = z.record(z.string(), z.array(z.string()))

/** The errors of one line of a file, counted from 1, by field. */
export const LineErrors = z.object({ line: z.int(), errors: Faults })
export type LineErrors = z.infer<typeof LineErrors>

/**
 * The one shape of every error response. `errors` lists the reasons by field or by line; some codes add fields, such as
 * `remaining_attempts`.
 */
export const ErrorBody = z.looseObject({
  detail: z.string(),
  code: z.string(),
  errors: z.optional(z.union([Faults, z.array(LineErrors)])),
})
export type ErrorBody = z.infer<typeof ErrorBody>
