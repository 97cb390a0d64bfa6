/** `mail-delivery` → `MailDelivery`, `byStage` → `ByStage`, `lead_id` → `LeadId`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[^a-zA-Z0-9])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
