call fill_coupon_keys();
