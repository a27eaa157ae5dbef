import * as z from 'zod/mini'

/** Every code the API can answer, with its status (D-25). The portal words errors by code, never by `detail`. */
export const errors = {
  validation_error: 400,
  malformed_json: 400,
  code_required: 400,
  no_subscription: 400,
  action_required: 400,
  invalid_return_path: 400,
  invalid_period: 400,
  mode_not_allowed: 400,
  no_change: 400,
  mixed_currency: 400,
  unknown_price: 400,
  profile_required: 400,
  bad_signature: 400,
  not_authenticated: 401,
  invalid_credentials: 401,
  invalid_device_key: 401,
  permission_denied: 403,
  csrf_failed: 403,
  not_found: 404,
  unknown_tracker: 404,
  invalid_link: 404,
  invalid_key: 404,
  unknown_world: 404,
  too_many_links: 409,
  device_linked_to_pro: 409,
  recurring_active: 409,
  not_activatable: 409,
  subscription_required: 409,
  request_pending: 409,
  email_exists: 409,
  pro_account: 409,
  world_exists: 409,
  expired: 410,
  too_large: 413,
  unsupported_media_type: 415,
  serial_locked: 423,
  throttled: 429,
  server_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errors

/** The one shape of every failure. Extras such as `remaining_attempts` stand beside the code. */
export const ErrorBody = z.looseObject({
  detail: z.string(),
  code: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
})
export type ErrorBody = z.infer<typeof ErrorBody>
