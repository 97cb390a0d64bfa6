/**
 * A type of object of the Graph API. The lists come from Meta's code generation specifications
 * (`facebook-business-sdk-codegen`, v25.0) and, for people, from the Messenger documentation. Like
 * Meta, the sandbox omits a known field that has no value.
 */
export type NodeType = {
  /** The name in error messages. */
  readonly name: string;
  /** Fields and edges that can be requested. */
  readonly fields: ReadonlySet<string>;
  /** The fields that are returned by default. */
  readonly defaults: readonly string[];
  /** Fields that contain an object. Requests can select the fields of that object, too. */
  readonly nested?: Readonly<Record<string, NodeType>>;
};

function nodeType(
  name: string,
  {
    defaults,
    fields,
    nested = {},
  }: { defaults: string; fields: string; nested?: NodeType['nested'] },
): NodeType {
  return { name, defaults: defaults.split(' '), fields: new Set(fields.split(/\s+/)), nested };
}

export const message = nodeType('Message', {
  defaults: 'id created_time',
  fields: `attachments created_time from id is_unsupported message reactions reply_to shares sticker
    story tags to`,
});

/** The profile of a person who wrote to a page or an account. */
export const profile = nodeType('User', {
  defaults: 'id first_name last_name profile_pic',
  fields: `id name first_name last_name profile_pic locale timezone gender`,
});

export const instagramProfile = nodeType('User', {
  defaults: 'id name profile_pic',
  fields: `id name username profile_pic follower_count is_verified_user is_user_follow_business
    is_business_follow_user`,
});

const pageFields = `about access_token ad_campaign affiliation app_id artists_we_like attire
  available_promo_offer_ids awards band_interests band_members best_page bio birthday booking_agent
  breaking_news_usage built business can_checkin can_post category category_list checkins
  company_overview connected_instagram_account connected_page_backed_instagram_account
  contact_address copyright_attribution_insights copyright_whitelisted_ig_partners
  country_page_likes cover culinary_team current_location delivery_and_pickup_option_info
  description description_html differently_open_offerings directed_by display_subtext
  displayed_message_response_time does_viewer_have_page_permission_link_ig emails engagement
  fan_count featured_video features followers_count food_styles founded general_info
  general_manager genre global_brand_page_name global_brand_root_id has_added_app has_lead_access
  has_transitioned_to_new_page_experience has_whatsapp_business_number has_whatsapp_number hometown
  hours id impressum influences instagram_business_account is_always_open is_calling_eligible
  is_chain is_community_page is_eligible_for_branded_content is_messenger_bot_get_started_enabled
  is_messenger_platform_bot is_owned is_permanently_closed is_published is_unclaimed is_verified
  is_webhooks_subscribed keywords leadgen_tos_acceptance_time leadgen_tos_accepted
  leadgen_tos_accepting_user link location members merchant_id merchant_review_status
  messaging_feature_status messenger_ads_default_icebreakers messenger_ads_default_quick_replies
  messenger_ads_quick_replies_type mini_shop_storefront mission mpg name
  name_with_location_descriptor network new_like_count offer_eligible overall_star_rating
  owner_business page_token parent_page parking payment_options personal_info personal_interests
  pharma_safety_info phone pickup_options place_type plot_outline preferred_audience press_contact
  price_range priority_hours privacy_info_url produced_by products promotion_eligible
  promotion_ineligible_reason public_transit rating_count recipient record_label release_date
  restaurant_services restaurant_specialties schedule screenplay_by season single_line_address
  starring start_info store_code store_location_descriptor store_number studio
  supports_donate_button_in_live_video talking_about_count temporary_status unread_message_count
  unread_notif_count unseen_message_count user_access_expire_time username verification_status
  voip_info website were_here_count whatsapp_number written_by
  albums conversations events feed insights instagram_accounts leadgen_forms likes live_videos
  locations messenger_profile photos picture posts published_posts ratings roles scheduled_posts
  settings stories subscribed_apps tabs tagged video_lists video_reels videos visitor_posts`;

export const page = nodeType('Page', { defaults: 'id name', fields: pageFields });

/** A page in the list of a person's pages. */
export const managedPage = nodeType('Page', {
  defaults: 'id name access_token category category_list tasks',
  fields: `${pageFields} tasks perms`,
});

export const comment = nodeType('Comment', {
  defaults: 'id created_time from message',
  fields: `admin_creator application attachment can_comment can_hide can_like can_remove
    can_reply_privately comment_count created_time from id is_hidden is_private like_count
    live_broadcast_timestamp message message_tags object parent permalink_url
    private_reply_conversation user_likes comments likes reactions`,
});

export const pagePost = nodeType('PagePost', {
  defaults: 'id created_time message',
  fields: `actions admin_creator allowed_advertising_objectives application backdated_time
    call_to_action can_reply_privately child_attachments comments_mirroring_domain coordinates
    created_time event expanded_height expanded_width feed_targeting from full_picture height icon
    id instagram_eligibility is_app_share is_eligible_for_dark_post is_eligible_for_promotion
    is_expired is_hidden is_inline_created is_instagram_eligible is_popular is_published
    is_spherical message message_tags multi_share_end_card multi_share_optimized parent_id
    permalink_url picture place privacy promotable_id promotion_status properties
    scheduled_publish_time shares status_type story story_tags subscribed target targeting
    timeline_visibility updated_time via video_buying_eligibility width
    attachments comments dynamic_posts insights likes reactions sharedposts sponsor_tags to`,
  nested: { comments: comment },
});

/** The response to a new post contains only its id, unless the request names more fields. */
export const newPagePost: NodeType = { ...pagePost, defaults: ['id'] };

export const video = nodeType('Video', {
  defaults: 'id description updated_time',
  fields: `ad_breaks admin_creator audio_isrc backdated_time backdated_time_granularity
    boost_eligibility_info content_category content_tags copyright copyright_check_information
    copyright_monitoring_status created_time custom_labels description embed_html embeddable event
    expiration format from icon id is_crosspost_video is_crossposting_eligible is_episode
    is_instagram_eligible is_reference_only length live_audience_count live_status
    music_video_copyright permalink_url picture place post_id post_views
    premiere_living_room_status privacy published scheduled_publish_time source spherical status
    title universal_video_id updated_time views
    captions collaborators comments likes poll_settings polls sponsor_tags tags thumbnails
    video_insights`,
});

export const pageStory = nodeType('Stories', {
  defaults: 'post_id status creation_time media_type media_id url',
  fields: 'creation_time media_id media_type post_id status url insights',
});

export const lead = nodeType('Lead', {
  defaults: 'id created_time field_data',
  fields: `ad_id ad_name adset_id adset_name campaign_id campaign_name created_time
    custom_disclaimer_responses field_data form_id home_listing id is_organic partner_name platform
    post post_submission_check_result retailer_item_id vehicle`,
});

export const insight = nodeType('InsightsResult', {
  defaults: 'id name period values total_value title description',
  fields: 'description description_from_api_doc id name period title total_value values',
});

export const instagramAccount = nodeType('IGUser', {
  defaults: 'id',
  fields: `account_type biography followers_count follows_count id media_count name
    profile_picture_url user_id username website
    conversations insights live_media media stories tags`,
});

export const instagramComment: NodeType = nodeType('IGComment', {
  defaults: 'id timestamp text',
  fields: `from hidden id legacy_instagram_comment_id like_count media parent_id replies text
    timestamp user username`,
  // A reply cannot have replies.
  nested: {
    replies: nodeType('IGComment', {
      defaults: 'id timestamp text',
      fields: `from hidden id legacy_instagram_comment_id like_count media parent_id text timestamp
        user username`,
    }),
  },
});

export const instagramMedia = nodeType('IGMedia', {
  defaults: 'id',
  fields: `alt_text caption comments_count current_live_viewer_count id is_comment_enabled
    is_shared_to_feed like_count media_product_type media_type media_url owner permalink shortcode
    thumbnail_url timestamp username
    children comments insights`,
  nested: { comments: instagramComment },
});

export const instagramContainer = nodeType('IGContainer', {
  defaults: 'id',
  fields: 'copyright_check_status id status status_code',
});

export const publishingLimit = nodeType('ContentPublishingLimitResponse', {
  defaults: 'quota_usage',
  fields: 'config quota_usage',
});
