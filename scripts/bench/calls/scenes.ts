import { aiScenes } from './ai-scenes.ts';
import { authScenes } from './auth-scenes.ts';
import { billingScenes } from './billing-scenes.ts';
import { bioScenes } from './bio-scenes.ts';
import { campaignScenes } from './campaign-scenes.ts';
import { contentScenes } from './content-scenes.ts';
import { conversationScenes } from './conversation-scenes.ts';
import { healthScenes } from './health-scenes.ts';
import { knowledgeScenes } from './knowledge-scenes.ts';
import { leadScenes } from './lead-scenes.ts';
import { mediaScenes } from './media-scenes.ts';
import { oauthScenes } from './oauth-scenes.ts';
import { organizationScenes } from './organization-scenes.ts';
import { otherScenes } from './other-scenes.ts';
import type { Scene } from './scene.ts';
import { socialScenes } from './social-scenes.ts';
import { webhookScenes } from './webhook-scenes.ts';

/** By function name. */
export const scenes: Readonly<Record<string, Scene>> = {
  ...authScenes,
  ...organizationScenes,
  ...aiScenes,
  ...billingScenes,
  ...leadScenes,
  ...socialScenes,
  ...oauthScenes,
  ...contentScenes,
  ...knowledgeScenes,
  ...mediaScenes,
  ...healthScenes,
  ...webhookScenes,
  ...conversationScenes,
  ...bioScenes,
  ...campaignScenes,
  ...otherScenes,
};
